import type { Ask, Decision } from "../../contract.ts";
import { sendAnswer } from "../api/answers.ts";
import type { Task } from "../api/tasks.ts";
import { announce } from "../ui/announcer.tsx";
import { denying } from "./denying.ts";
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
  denying.set(null);
  announce(`${task.title}: ${decision === "deny" ? "denied" : "answered"}.`);
  const at = new Date().toISOString();
  void sendAnswer({ kind: "answer", taskId: task.id, ask: ask.id, decision, ...said, at });
  return true;
}

/** Opens the field for a reason. */
export function beginDenial(task: Task, ask: Ask) {
  if (ask.canAnswer && isSeen(ask.id)) denying.set({ taskId: task.id, askId: ask.id, text: "" });
  else announce(TOO_SOON);
}
