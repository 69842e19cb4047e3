import { ApiError, api, queryClient, unwrap } from "../shared/api/client.ts";
import type { Task } from "../shared/api/rows.ts";
import { movesFirst } from "./actions.ts";
import type { Answer, Change, Creation, TaskPatch } from "./change.ts";
import { isCreatedBy, noteSent } from "./creations.ts";
import { isLive } from "./display-status.ts";
import { getTask } from "./tasks.ts";

type SessionChange = Extract<Change, { kind: "session" }>;

/** Sent once already: it may have arrived, and only the answer got lost. */
const sent = new WeakSet<Change>();

/** Resolves with the task as it is afterwards, where the server sends it. */
export function send(change: Change): Promise<Task | undefined> {
  const isSecondTry = sent.has(change);
  sent.add(change);
  switch (change.kind) {
    case "create":
      return create(change);
    case "update":
      return unwrap(api.tasks({ id: change.id }).patch(change.patch, { fetch: outlivingPage(change.patch) }));
    case "remove":
      return isSecondTry ? removeAgain(change.task) : remove(change.task);
    case "restore":
      return unwrap(api.tasks({ id: change.task.id }).restore.post());
    case "session":
      return sendSessionChange(change, isSecondTry);
    case "answer":
      return postAnswer(change);
  }
}

const remove = ({ id }: Task) => unwrap(api.tasks({ id }).delete());

async function removeAgain(task: Task): Promise<Task> {
  try {
    return await remove(task);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
    return { ...task, deletedAt: new Date().toISOString() };
  }
}

/** When the answer got lost, the task may be there all the same, and must not be made twice. */
async function create(change: Creation): Promise<Task> {
  const { projectId, title, status } = change;
  if (!noteSent(change)) {
    const arrived = (await unwrap(api.tasks.get({ query: { projectId } }))).find(isCreatedBy(change));
    if (arrived) return arrived;
  }
  return unwrap(api.tasks.post({ projectId, title, status }));
}

/** What is saved while the page goes away must still arrive. Browsers send 64 KiB in that way, and refuse more. */
const outlivingPage = ({ description }: TaskPatch): RequestInit => ({
  keepalive: (description ?? "").length < 20_000,
});

async function sendSessionChange(change: SessionChange, isSecondTry: boolean): Promise<Task> {
  const { action, task } = change;
  const calls = api.tasks({ id: task.id });
  const now = isSecondTry ? await unwrap(calls.get()) : undefined;
  if (now !== undefined && hasArrived(change, now)) return now;
  if (action === "reopen") return reopen(task);
  if (action === "complete") return unwrap(calls.complete.post());
  if (movesFirst(task, action)) await unwrap(calls.patch({ status: "active" }));
  return unwrap(calls.session[action].post());
}

function hasArrived({ action, task }: SessionChange, now: Task): boolean {
  switch (action) {
    case "start":
    case "resume":
    case "retry":
      return now.sessionOperation !== null || now.sessionId !== task.sessionId;
    case "stop":
      return now.sessionOperation === "stop" || !isLive(now);
    case "reopen":
      return now.status === task.status && (task.worktreePath === null || now.worktreePath !== null);
    case "complete":
      return false; // it does no harm a second time
  }
}

async function reopen({ id, status, worktreePath }: Task): Promise<Task> {
  const calls = api.tasks({ id });
  if (status !== "done") await unwrap(calls.patch({ status }));
  const logs = worktreePath === null ? [] : await unwrap(calls["session-logs"].get());
  // Not the session that ended last: an older one's worktree may have been brought back before.
  const last = logs
    .filter(({ archivedFor }) => archivedFor === "complete")
    .toSorted((a, b) => (b.archivedAt ?? "").localeCompare(a.archivedAt ?? ""))[0];
  if (last !== undefined) await unwrap(calls["session-logs"]({ logId: last.id }).restore.post());
  return unwrap(calls.get());
}

async function postAnswer({ taskId, ask, decision, message, answers }: Answer): Promise<undefined> {
  const body = { ask, decision, ...(message !== undefined && { message }), ...(answers && { answers }) };
  await unwrap(api.tasks({ id: taskId }).session.answer.post(body));
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
