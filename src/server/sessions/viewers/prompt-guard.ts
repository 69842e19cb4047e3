// A prompt is typed only where it would be taken as one, and whether it was taken is not guessed.
import { HELD, type Intake, type Reading } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import type { Runner } from "../runner.ts";
import type { PromptGuard } from "./terminals.ts";

interface GuardParts {
  tasks: Pick<Tasks, "get">;
  runner: Pick<Runner, "reading">;
}

/** For what is about to be typed at a task's agent as its next prompt. */
export function promptGuard({ tasks, runner }: GuardParts, taskId: string, text: string): PromptGuard {
  const reading = () => runner.reading(tasks.get(taskId).sessionId ?? "");
  const isTold = isAcceptanceTold(text, reading());
  return {
    check: () => requireIntake(tasks.get(taskId), reading()?.intake),
    async taken(since) {
      if (isTold) await requireAcceptance(since, () => reading()?.accepted);
    },
  };
}

/** Throws if a dialog is open: Enter would answer it, and the author of the prompt may not have seen it yet. */
function requireIntake({ asks, activity }: Pick<TaskRow, "asks" | "activity">, intake?: Intake) {
  const isAsking = asks !== null || activity?.kind === "permission" || activity?.kind === "question";
  const known = isAsking ? HELD.asks : intake;
  if (known !== undefined && known !== "open") throw new DomainError("conflict", known.held);
}

const ACCEPTED_MS = 3_000;
const LOOK_AGAIN_MS = 20;

/** Throws if the agent does not say in time that it has accepted what was typed since then. */
async function requireAcceptance(
  since: number,
  accepted: () => Reading["accepted"] | undefined,
): Promise<void> {
  const deadline = performance.now() + ACCEPTED_MS;
  for (;;) {
    const at = accepted() ?? null;
    // It ended meanwhile, or says no more of itself.
    if (at === null || at >= since) return;
    if (performance.now() >= deadline) break;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
  throw new DomainError(
    "conflict",
    "The agent didn't take it. Look at its terminal before you send it again: what was typed may still be there.",
  );
}

/**
 * Whether acceptance can be told by what the agent says next. A command of its own begins no turn, and one that is at
 * work may keep a prompt for later without a word.
 */
const isAcceptanceTold = (text: string, reading: Pick<Reading, "accepted" | "kind"> | undefined) =>
  !text.trimStart().startsWith("/") && reading?.kind !== "working" && (reading?.accepted ?? null) !== null;
