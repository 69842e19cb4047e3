import { existsSync } from "node:fs";
import { isHeld } from "../../../host/claim.ts";
import { type PreparedHost, prepareHost } from "../../../host/launch.ts";
import { LaunchError } from "../../../host/launch-error.ts";
import { DomainError } from "../../errors.ts";
import { branchName } from "../../git/branch-name.ts";
import { type CreateWorktree, createWorktree } from "../../git/worktree.ts";
import type { RunFiles } from "../../hosts/run-dir.ts";
import type { TaskRow } from "../../tasks/tasks.ts";
import { agentEnvironment } from "../environment.ts";
import { dismiss, type Endings, writeEnd } from "../observe/endings.ts";
import { lost } from "../observe/outcome.ts";
import type { Ahead, RunOperation, SessionParts } from "../parts.ts";
import type { OperationRow, ProjectRow } from "../store.ts";
import { agentRun } from "./agent-run.ts";
import { askForSetup, setupMark, withNotes, withSetup } from "./setup.ts";

export interface StartDetail {
  /** Goes on with the last conversation. */
  resume: boolean;
  /** The session whose place this one takes. */
  before?: string | null;
}

const LOOK_AGAIN_MS = 20;
const SIZE = { cols: 120, rows: 40 };

type Starting = TaskRow & { sessionId: string };

/** Worktree, then host. A host that an earlier try had launched is found again instead of doubled. */
export const runStart =
  (endings: Endings): RunOperation =>
  async (parts, operation, ahead) => {
    const { rows, runDir, checkpoint } = parts;
    const task = rows.find(operation.taskId);
    if (task?.sessionId == null) return;
    const session = { taskId: task.id, sessionId: task.sessionId };
    const { claim } = runDir.files(task.sessionId);
    let tidying: Promise<void> | undefined;
    const later = (promise: Promise<void>) => {
      tidying = promise;
    };
    try {
      if (existsSync(claim)) await takeUp(parts, task.sessionId);
      else if (!(await bringUp(parts, operation, { ...task, ...session }, { ...ahead, later }))) return;
      checkpoint("start:launched");
      if (await endings.reach(session)) {
        rows.report(task.id, task.sessionId, { type: "launched" });
      } else await endings.conclude(session);
      checkpoint("start:done");
    } catch (error) {
      // Something runs, or did: whoever tries again finds that out, as after a crash.
      if (existsSync(claim)) throw error;
      if (!(error instanceof DomainError || error instanceof LaunchError)) {
        parts.log.error(`starting task ${task.id}`, error);
      }
      writeEnd(parts, session, lost(error instanceof Error ? error.message : String(error)));
      parts.readings.forget(session.sessionId);
    } finally {
      await tidying;
    }
  };

/** False when it was stopped in between. */
async function bringUp(
  parts: SessionParts,
  operation: OperationRow,
  task: Starting,
  ahead: Ahead & Pick<CreateWorktree, "later">,
): Promise<boolean> {
  const { rows, agents, checkpoint } = parts;
  const { before } = operation.detail as unknown as StartDetail;
  if (before) await clearAway(parts, before);
  const prepared = agents.prepare(task.agent).catch(() => {}); // what is wrong with it is told at the launch
  // Without a spare one, it gets ready to run while the worktree is made.
  const isOurs = ahead.host?.sessionId === task.sessionId;
  const host = (isOurs && ahead.host) || prepareHost(task.sessionId);
  try {
    rows.report(task.id, task.sessionId, { type: "provisioning" });
    checkpoint("start:provisioning");
    const isMade = task.worktreePath !== null;
    const { goesOn, notes } = isMade
      ? { goesOn: rows.advance(operation, "launch"), notes: [] }
      : await provision(parts, operation, task, ahead);
    if (!goesOn) return false;
    await prepared;
    await launch(parts, operation, host, notes);
    return true;
  } finally {
    host.dismiss();
  }
}

/** Without its files nobody would ever find its host again, should it still be there. */
async function clearAway(parts: SessionParts, sessionId: string): Promise<void> {
  const { runDir } = parts;
  if (existsSync(runDir.files(sessionId).socket)) await dismiss(parts, sessionId);
  runDir.forget(sessionId);
}

async function provision(
  parts: SessionParts,
  operation: OperationRow,
  task: Starting,
  { survey, later }: Ahead & Pick<CreateWorktree, "later">,
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
  host: PreparedHost,
  notes: string[],
): Promise<void> {
  const { rows, runDir, agents, config, log, readings, arrivals } = parts;
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
  const request = {
    sessionId,
    argv: withNotes(
      note === undefined ? notes : [...notes, note],
      await setUpFirst(project, task.worktreePath, argv),
    ),
    cwd: task.worktreePath,
    env: agentEnvironment({ base: process.env, taskId: task.id, sessionId, extra: env }),
    ...SIZE,
    ...runDir.hostPaths(sessionId),
    bufferSize: config.outputBufferBytes,
    orphanSeconds: config.orphanGraceSeconds,
    ...(signals !== undefined && { signals }),
  };
  try {
    await host.launch(request, () => arrivals.announce(sessionId));
  } catch (error) {
    if (!(error instanceof LaunchError) || error.reason !== "taken") throw error;
    await takeUp(parts, sessionId); // one that a server before us had launched was quicker
  }
}

/** Its host has been launched already. */
async function takeUp({ runDir, arrivals }: SessionParts, sessionId: string): Promise<void> {
  await reachable(runDir.files(sessionId));
  arrivals.announce(sessionId);
}

async function setUpFirst({ setupCommand, path }: ProjectRow, worktree: string, argv: string[]) {
  if (setupCommand === null) return argv;
  const mark = await setupMark(path, worktree);
  return mark === undefined ? argv : withSetup(setupCommand, mark, argv);
}

/** The host has claimed the session and is about to listen, or died on the way. */
async function reachable({ socket, record, claim }: RunFiles): Promise<void> {
  while (!existsSync(socket) && !existsSync(record) && isHeld(claim)) await Bun.sleep(LOOK_AGAIN_MS);
}
