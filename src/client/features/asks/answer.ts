import type { Ask, Decision } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { sendAnswer } from "../../tasks/changes.ts";
import { answerDraft, keepAnswerDraft } from "./answer-drafts.ts";
import { denial } from "./denial.ts";
import { isSeen } from "./guard.ts";
import { isWhole, review } from "./in-sight.ts";

export const TOO_SOON = "This request just appeared. Read it, then answer.";

interface Typed {
  message?: string;
  answers?: Record<string, string>;
}

/** Answers exactly this ask, if a person can have seen it. If part of it is cut off, shows that instead. */
export function giveAnswer(task: Task, ask: Ask, decision: Decision, typed: Typed = {}) {
  if (!ask.canAnswer) return;
  if (!isSeen(ask.id)) return announce(TOO_SOON);
  if (decision !== "deny" && ask.questions === null && !isWhole(task, ask)) return review(task, ask);
  keepKeyboard();
  denial.set(null);
  if (typed.message !== undefined) keepAnswerDraft(task, ask, { reason: typed.message });
  announce(`${task.title}: ${decision === "deny" ? "denied" : "answered"}.`);
  sendAnswer({ taskId: task.id, ask: ask.id, decision, ...typed, at: new Date().toISOString() });
}

/** The button or field that had the focus goes away, and its card may move, so the card or panel takes the focus. */
function keepKeyboard() {
  const used = document.activeElement?.closest("[data-ask]");
  used?.closest<HTMLElement>("[data-card], [data-panel]")?.focus({ preventScroll: true });
}

/** Opens the field for a reason, filled with one that could not be sent. */
export function startDenial(task: Task, ask: Ask) {
  if (!ask.canAnswer || !isSeen(ask.id)) return announce(TOO_SOON);
  denial.set({ taskId: task.id, askId: ask.id, text: answerDraft(task, ask).reason });
}
