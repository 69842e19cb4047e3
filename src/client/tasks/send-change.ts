import { api, queryClient, unwrap } from "../shared/api/client.ts";
import { keyed } from "../shared/api/keyed.ts";
import type { Task } from "../shared/api/rows.ts";
import { movesFirst } from "./actions.ts";
import type { Answer, Change, Creation, SessionChange, TaskPatch } from "./change.ts";
import { noteSent } from "./creations.ts";
import { getTask } from "./tasks.ts";

/** Resolves with the task as it is afterwards, where the server sends it. */
export function send(change: Change): Promise<Task | undefined> {
  switch (change.kind) {
    case "create":
      return create(change);
    case "update": {
      const options = { ...keyed(change), fetch: outlivingPage(change.patch) };
      return unwrap(api.tasks({ id: change.id }).patch(change.patch, options));
    }
    case "remove":
      return unwrap(api.tasks({ id: change.task.id }).delete(undefined, keyed(change)));
    case "restore":
      return unwrap(api.tasks({ id: change.task.id }).restore.post(undefined, keyed(change)));
    case "session":
      return sendSessionChange(change);
    case "answer":
      return postAnswer(change);
  }
}

function create(change: Creation): Promise<Task> {
  const { projectId, title, status } = change;
  noteSent(change);
  return unwrap(api.tasks.post({ projectId, title, status }, keyed(change)));
}

/** What is saved while the page goes away must still arrive. Browsers send 64 KiB in that way, and refuse more. */
const outlivingPage = ({ description }: TaskPatch): RequestInit => ({
  keepalive: (description ?? "").length < 20_000,
});

function sendSessionChange(change: SessionChange): Promise<Task> {
  const { action, task } = change;
  const { session, complete, reopen } = api.tasks({ id: task.id });
  if (action === "reopen") return unwrap(reopen.post(undefined, keyed(change)));
  if (action === "complete") return unwrap(complete.post(undefined, keyed(change)));
  if (action === "stop") return unwrap(session.stop.post(undefined, keyed(change)));
  return unwrap(session[action].post({ activate: movesFirst(task, action) }, keyed(change)));
}

async function postAnswer(change: Answer): Promise<undefined> {
  const { taskId, ask, decision, message, answers } = change;
  const body = { ask, decision, ...(message !== undefined && { message }), ...(answers && { answers }) };
  await unwrap(api.tasks({ id: taskId }).session.answer.post(body, keyed(change)));
  await untilTaken(taskId, ask);
}

/** The card moves on as soon as the agent's host has the answer; longer than this it is not held back. */
const TAKEN_MS = 3_000;

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
