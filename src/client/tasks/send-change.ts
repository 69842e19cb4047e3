import { api, queryClient, unwrap } from "../shared/api/client.ts";
import { keyed } from "../shared/api/keyed.ts";
import type { Task } from "../shared/api/rows.ts";
import { movesFirst } from "./actions.ts";
import type { Answer, Change, Creation, SessionChange, TaskPatch } from "./change.ts";
import { noteSent } from "./creations.ts";
import { getTask } from "./tasks.ts";

/** Resolves with the changed task, if the server answers with it. */
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
  const { projectId, title, status, agent } = change;
  noteSent(change);
  return unwrap(api.tasks.post({ projectId, title, status, ...(agent && { agent }) }, keyed(change)));
}

/** What is saved while the page closes must still arrive. Browsers allow 64 KiB for that. */
const outlivingPage = ({ description }: TaskPatch): RequestInit => ({
  keepalive: (description ?? "").length < 20_000,
});

function sendSessionChange(change: SessionChange): Promise<Task> {
  const { action, task, commit, unlock = false } = change;
  const { session, complete, reopen, worktree } = api.tasks({ id: task.id });
  if (action === "forget") return unwrap(worktree.forget.post(undefined, keyed(change)));
  if (action === "reopen") return unwrap(reopen.post(undefined, keyed(change)));
  if (action === "complete")
    return unwrap(complete.post(commit === undefined ? null : { commit }, keyed(change)));
  if (action === "stop") return unwrap(session.stop.post(undefined, keyed(change)));
  const activate = movesFirst(task, action);
  if (action === "resume") return unwrap(session.resume.post({ activate, unlock }, keyed(change)));
  return unwrap(session[action].post({ activate }, keyed(change)));
}

async function postAnswer(change: Answer): Promise<undefined> {
  const { taskId, ask, decision, message, answers } = change;
  const body = { ask, decision, ...(message !== undefined && { message }), ...(answers && { answers }) };
  await unwrap(api.tasks({ id: taskId }).session.answer.post(body, keyed(change)));
  await untilTaken(taskId, ask);
}

/** Wait no longer than this for the row to change. */
const TAKEN_MS = 3_000;

/** The event with the new row may come after the answer to the request, and the board must not jump back. */
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
