import type { Ask, Decision } from "../../../contract.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { sendAnswer } from "../../tasks/answers.ts";
import type { Task } from "../../tasks/tasks.ts";
import { begunFor, keepBegun } from "./answer-drafts.ts";
import { denying } from "./denial.ts";
import { isSeen } from "./guard.ts";

export const TOO_SOON = "This request has only just come up. Look at it, then answer.";

interface Said {
  message?: string;
  answers?: Record<string, string>;
}

/** Answers this very request, once a person can have seen it. False when it was too soon. */
export function decideNow(task: Task, ask: Ask, decision: Decision, said: Said = {}): boolean {
  if (!ask.canAnswer) return false;
  if (!isSeen(ask.id)) {
    announce(TOO_SOON);
    return false;
  }
  keepKeyboard();
  denying.set(null);
  if (said.message !== undefined) keepBegun(task, ask, { reason: said.message });
  announce(`${task.title}: ${decision === "deny" ? "denied" : "answered"}.`);
  const at = new Date().toISOString();
  void sendAnswer({ kind: "answer", taskId: task.id, ask: ask.id, decision, ...said, at });
  return true;
}

/** The button or field that was used goes away, and its card may move: the keyboard goes with it, the view stays. */
function keepKeyboard() {
  const used = document.activeElement?.closest("[data-ask]");
  used?.closest<HTMLElement>("[data-card], [data-panel]")?.focus({ preventScroll: true });
}

/** Opens the field for a reason, with the one that did not get through. */
export function beginDenial(task: Task, ask: Ask) {
  if (!ask.canAnswer || !isSeen(ask.id)) return announce(TOO_SOON);
  denying.set({ taskId: task.id, askId: ask.id, text: begunFor(task, ask).reason });
}
