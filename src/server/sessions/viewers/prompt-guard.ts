// A prompt is typed only where it would be taken as one, and whether it was taken is not guessed.

import { preparePaste } from "../../../vt/paste.ts";
import { HELD, type Intake, type Reading } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import type { Runner } from "../runner.ts";
import type { Acceptance, PromptGuard } from "./type-prompt.ts";

interface GuardParts {
  tasks: Pick<Tasks, "get">;
  runner: Pick<Runner, "reading" | "box">;
}

/** For what is about to be typed at a task's agent as its next prompt. */
export function promptGuard({ tasks, runner }: GuardParts, taskId: string): PromptGuard {
  const sessionId = tasks.get(taskId).sessionId ?? "";
  const reading = () => runner.reading(sessionId);
  const wasWorking = reading()?.kind === "working";
  return {
    check: () => requireIntake(tasks.get(taskId), reading()?.intake),
    box: (screen) => runner.box(sessionId, screen),
    acceptance: (since, text) => acceptanceOf(reading(), since, text, wasWorking),
  };
}

/** Throws if a dialog is open: Enter would answer it, and the author of the prompt may not have seen it yet. */
function requireIntake({ asks, activity }: Pick<TaskRow, "asks" | "activity">, intake?: Intake) {
  const isAsking = asks !== null || activity?.kind === "permission" || activity?.kind === "question";
  const known = isAsking ? HELD.asks : intake;
  if (known !== undefined && known !== "open") throw new DomainError("conflict", known.held);
}

/** An agent shows and tells white space in its own way. */
const compact = (text: string) => preparePaste(text, false).replace(/\s/g, "");

function acceptanceOf(
  reading: Reading | undefined,
  since: number,
  text: string,
  wasWorking: boolean,
): Acceptance {
  const { accepted = null, heard } = reading ?? {};
  const unheard = wasWorking ? "untold" : "none"; // one that is at work may keep a prompt for later without a word
  // Its own commands and a shell's it doesn't repeat.
  if (heard !== undefined && !/^\s*[/!]/.test(text))
    return heard.at >= since && compact(heard.text).includes(compact(text)) ? "certain" : unheard;
  if (accepted === null) return "untold";
  return accepted >= since ? "likely" : unheard;
}
