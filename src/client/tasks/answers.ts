import { MutationObserver } from "@tanstack/react-query";
import type { Decision } from "../../contract.ts";
import { ApiError, api, queryClient, TASK_CHANGE, TASKS, unwrap, upsert } from "../shared/api/client.ts";
import { showError, showToast } from "../shared/ui/toast.tsx";
import { getTask, type Task } from "./tasks.ts";

/** What a person says to what an agent asks. It names the request, so it can never answer another one. */
export interface AnswerChange {
  kind: "answer";
  taskId: string;
  ask: string;
  decision: Decision;
  message?: string;
  /** By question. */
  answers?: Record<string, string>;
  /** When it was given. */
  at: string;
}

/** The card moves on as soon as the agent's host has the answer; longer than this it is not held back. */
const TAKEN_MS = 3_000;

async function send({ taskId, ask, decision, message, answers }: AnswerChange): Promise<void> {
  const body = { ask, decision, ...(message !== undefined && { message }), ...(answers && { answers }) };
  await unwrap(api.tasks({ id: taskId }).session.answer.post(body));
  await untilTaken(taskId, ask);
}

/** The row that says so may come after the answer to the request: the board must not jump back and forth. */
function untilTaken(taskId: string, ask: string): Promise<void> {
  const isOver = () => getTask(taskId)?.asks?.id !== ask;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(finish, TAKEN_MS);
    const unsubscribe = queryClient.getQueryCache().subscribe(() => isOver() && finish());
    if (isOver()) finish();
  });
}

/** Not in the queue of other changes: an agent waits for it. */
const sender = new MutationObserver(queryClient, { mutationKey: TASK_CHANGE, mutationFn: send });

export async function sendAnswer(change: AnswerChange): Promise<void> {
  try {
    await sender.mutate(change);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) {
      return showError("The answer was not sent", error as Error, () => void sendAnswer(change));
    }
    showToast({
      title: "Answered already",
      detail: "In the terminal or in another window, or the agent does not ask any more.",
    });
    await refresh(change.taskId);
  }
}

async function refresh(id: string): Promise<void> {
  const task = await unwrap(api.tasks({ id }).get()).catch(() => undefined); // the event stream tells it too
  if (task) upsert(TASKS, task);
}

/** The task as it will be in a moment. */
export function withAnswer(task: Task, { taskId, ask, at }: AnswerChange): Task {
  if (task.id !== taskId || task.asks?.id !== ask) return task;
  return { ...task, asks: null, activity: { kind: "working", reason: null, since: at, until: null } };
}
