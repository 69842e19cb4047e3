import { existsSync } from "node:fs";
import { DomainError } from "../../errors.ts";
import { branchName } from "../../git/repository/branch-name.ts";
import { locksOf, setLocksAside } from "../../git/worktrees/left-locks.ts";
import { type CreateWorktree, createWorktree } from "../../git/worktrees/worktree.ts";
import { dismissHost } from "../../hosts/end-host.ts";
import type { ReadyHost } from "../../hosts/spare-host.ts";
import type { ProjectRow } from "../../projects/projects.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { agentEnvironment } from "../environment.ts";
import type { RunOperation, SessionParts, StartHints } from "../parts.ts";
import type { OperationRow } from "../store.ts";
import { agentRun } from "./agent-run.ts";
import { askForSetup, setupMark, withNotes, withSetup } from "./setup.ts";

export interface StartDetail {
  /** Continue the last conversation. */
  resume: boolean;
  /** The session that this one replaces. */
  before?: string | null;
  /** Removes the locks that a git which was stopped has left in the worktree. */
  unlock?: boolean;
}

const SIZE = { cols: 120, rows: 40 };

type Starting = TaskRow & { sessionId: string };

/** Makes the worktree, then starts the host. If an earlier attempt has started the host, that one is used. */
export const runStart: RunOperation = async (parts, operation, hints) => {
  const { rows, hosts, readiness, watch, endings, checkpoint } = parts;
  const task = rows.find(operation.taskId);
  if (task?.sessionId == null) return;
  const session = { taskId: task.id, sessionId: task.sessionId };
  let tidying: Promise<void> | undefined;
  const later = (promise: Promise<void>) => {
    tidying = promise;
  };
  try {
    if (hosts.wasStarted(session.sessionId)) {
      await hosts.listens(session.sessionId);
      readiness.announce(session.sessionId);
    } else if (!(await bringUp(parts, operation, { ...task, ...session }, { ...hints, later }))) return;
    checkpoint("start:launched");
    if (await watch.open(session)) rows.report(task.id, session.sessionId, { type: "launched" });
    else await endings.finish(session);
    checkpoint("start:done");
  } catch (error) {
    // Something is running, or was. Another attempt finds that out, as after a crash.
    if (hosts.wasStarted(session.sessionId)) throw error;
    if (!(error instanceof DomainError)) parts.log.error(`starting task ${task.id}`, error);
    endings.failedToStart(session, error instanceof Error ? error.message : String(error));
  } finally {
    await tidying;
  }
};

/** False if it was stopped in the meantime. */
async function bringUp(
  parts: SessionParts,
  operation: OperationRow,
  task: Starting,
  hints: StartHints & Pick<CreateWorktree, "later">,
): Promise<boolean> {
  const { rows, hosts, agents, checkpoint } = parts;
  const { before, unlock } = operation.detail as unknown as StartDetail;
  if (before) await clearAway(parts, before);
  if (unlock && task.worktreePath !== null) {
    const { path: repository } = rows.project(task.projectId);
    await setLocksAside(await locksOf({ repository, path: task.worktreePath }));
  }
  const prepared = agents.prepare(task.agent).catch(() => {}); // launching will say what is wrong
  // Without a spare host, this one gets ready while the worktree is made.
  const isOurs = hints.host?.sessionId === task.sessionId;
  const host = (isOurs && hints.host) || hosts.prepare(task.sessionId);
  try {
    rows.report(task.id, task.sessionId, { type: "provisioning" });
    checkpoint("start:provisioning");
    const isMade = task.worktreePath !== null;
    const { goesOn, notes } = isMade
      ? { goesOn: rows.advance(operation, "launch"), notes: [] }
      : await provision(parts, operation, task, hints);
    if (!goesOn) return false;
    await prepared;
    await launch(parts, operation, host, notes);
    return true;
  } finally {
    host.dismiss();
  }
}

/** Makes sure that the previous session's host is gone before it removes the files needed to find it. */
async function clearAway(parts: SessionParts, sessionId: string): Promise<void> {
  const { runDir } = parts;
  if (existsSync(runDir.files(sessionId).socket)) await dismissHost(parts, sessionId);
  runDir.forget(sessionId);
}

async function provision(
  parts: SessionParts,
  operation: OperationRow,
  task: Starting,
  { survey, later }: StartHints & Pick<CreateWorktree, "later">,
): Promise<{ goesOn: boolean; notes: string[] }> {
  const project = parts.rows.project(task.projectId);
  const path = parts.paths.worktree(task.id);
  const { branch, notes } = await createWorktree({
    repository: project.path,
    path,
    branch: branchName(task.id, task.title),
    base: project.baseBranch,
    include: project.worktreeInclude,
    survey,
    later,
    owner: task.sessionId,
    trash: parts.paths.trashFolder,
    checkpoint: (step) => parts.checkpoint(`start:${step}`),
  });
  if (project.setupCommand !== null) await askForSetup(project.path, path);
  for (const note of notes) parts.log.info(`task ${task.id}: ${note}`);
  parts.checkpoint("start:worktree");
  const goesOn = parts.rows.advance(operation, "launch", { columns: { worktreePath: path, branch } });
  return { goesOn, notes };
}

async function launch(
  parts: SessionParts,
  operation: OperationRow,
  host: Pick<ReadyHost, "launch" | "dismiss" | "isWaiting">,
  notes: string[],
): Promise<void> {
  const { rows, runDir, hosts, agents, log, readings, readiness } = parts;
  const task = rows.find(operation.taskId);
  if (task?.sessionId == null || task.worktreePath === null) {
    throw new Error(`task ${operation.taskId} has no session to launch`);
  }
  const { resume } = operation.detail as unknown as StartDetail;
  const { sessionId } = task;
  const project = rows.project(task.projectId);
  const { signals: signalFolder } = runDir.files(sessionId);
  const run = { ...agentRun(task, project, resume), cwd: task.worktreePath, signalFolder };
  const { argv, env, signals, prompted = false, agentSessionId, note } = agents.command(task.agent, run);
  if (note !== undefined) log.info(`task ${task.id}: ${note}`);
  if (agentSessionId !== undefined) rows.advance(operation, "launch", { columns: { agentSessionId } });
  const start = { prompted, note: note ?? null, at: Date.now() };
  readings.begin({ taskId: task.id, sessionId }, task.agent, start);
  const program = {
    argv: withNotes(
      note === undefined ? notes : [...notes, note],
      await setUpFirst(project, task.worktreePath, argv),
    ),
    cwd: task.worktreePath,
    env: agentEnvironment({ base: process.env, taskId: task.id, sessionId, extra: env }),
    ...SIZE,
    ...(signals !== undefined && { signals }),
  };
  await hosts.start(sessionId, program, { host, onListening: () => readiness.announce(sessionId) });
}

async function setUpFirst({ setupCommand, path }: ProjectRow, worktree: string, argv: string[]) {
  if (setupCommand === null) return argv;
  const mark = await setupMark(path, worktree);
  return mark === undefined ? argv : withSetup(setupCommand, mark, argv);
}
