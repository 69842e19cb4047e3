// Running agents that the database does not know, because an older backup was restored or their rows were lost. They
// and their worktrees are left alone until somebody adopts or ends them.

import { basename } from "node:path";
import { AGENTS } from "../../contract.ts";
import { DomainError, notFound } from "../errors.ts";
import { administrationOf, canonicalPlace, commonDirectory } from "../git/repository/administration.ts";
import { readHead } from "../git/repository/head.ts";
import { connect, type HostStatus, within } from "../hosts/connection.ts";
import { dismissHost } from "../hosts/end-host.ts";
import { PATIENCE_AT_START_MS } from "../hosts/host-watcher.ts";
import { isRunningHost } from "../hosts/live-hosts.ts";
import { argumentsOf, taskOfSession } from "../hosts/session-owner.ts";
import type { Projects } from "../projects/projects.ts";
import { topOf } from "../tasks/position.ts";
import type { TaskRow } from "../tasks/task-row.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { SessionParts } from "./parts.ts";
import { requireWorktreeThere } from "./worktree-there.ts";

export interface UnknownSession {
  id: string;
  /** null if not even its processes say so. Then it can only be ended. */
  taskId: string | null;
  /** Its task's title, if the task exists. */
  title: string | null;
  worktreePath: string | null;
  branch: string | null;
  /** null while the host does not answer. */
  startedAt: string | null;
  terminalTitle: string | null;
}

const ANSWER_MS = 1_500;

type Parts = Pick<SessionParts, "rows" | "paths" | "runDir" | "watch" | "log"> & {
  tasks: Pick<Tasks, "create">;
  projects: Pick<Projects, "ofRepository" | "restore">;
  /** Continues the task's unfinished operation. */
  carryOn(taskId: string): void;
};

export type UnknownSessions = ReturnType<typeof createUnknownSessions>;

export function createUnknownSessions(parts: Parts) {
  const { rows, paths, runDir, watch, log, tasks, projects, carryOn } = parts;
  /** The task of each session. */
  const found = new Map<string, string | null>();

  /** undefined if it does not answer. */
  async function ask(id: string, patienceMs = ANSWER_MS): Promise<HostStatus | undefined> {
    try {
      const host = await within(patienceMs, connect(runDir.files(id).socket));
      return await within(patienceMs, host.status()).finally(() => host.close());
    } catch {
      return undefined;
    }
  }

  async function forget(id: string): Promise<void> {
    await dismissHost(parts, id);
    runDir.forget(id);
    const taskId = found.get(id);
    found.delete(id);
    if (taskId != null && rows.operation(taskId) !== undefined) carryOn(taskId);
  }

  function require(id: string): string | null {
    const taskId = found.get(id);
    if (taskId === undefined) throw notFound("unknown session", id);
    return taskId;
  }

  async function describe(id: string, taskId: string | null, status?: HostStatus): Promise<UnknownSession> {
    const place = taskId === null ? undefined : await placeOf(paths.worktree(taskId)).catch(() => undefined);
    return {
      id,
      taskId,
      title: taskId === null ? null : (rows.find(taskId)?.title ?? null),
      worktreePath: taskId === null ? null : paths.worktree(taskId),
      branch: place?.branch ?? null,
      startedAt: status?.startedAt ?? null,
      terminalTitle: status?.title || null,
    };
  }

  /** The task's row, created if there is none. */
  async function taskFor(
    taskId: string,
    repository: string,
    title: string,
    argv: string[],
  ): Promise<TaskRow> {
    const row = rows.find(taskId);
    if (row !== undefined) {
      if (rows.project(row.projectId).deletedAt !== null) projects.restore(row.projectId);
      return row;
    }
    const { id: projectId } = await projects.ofRepository(repository);
    const names = argv.map((argument) => basename(argument));
    const agent = AGENTS.find((name) => names.includes(name)) ?? "shell";
    return tasks.create({ projectId, title, agent, status: "active" }, { id: taskId });
  }

  return {
    /** At a start. False if it is over: its program has ended, or its host is gone. */
    async take(id: string): Promise<boolean> {
      if (!isRunningHost(runDir.files(id).claim)) return false;
      const status = await ask(id, PATIENCE_AT_START_MS);
      if (status !== undefined && status.exit !== null) return false;
      found.set(id, taskOfSession(id) ?? null);
      log.error(
        `session ${id} runs and is not in the database; it is left alone until it is adopted or ended`,
      );
      return true;
    },

    async list(): Promise<UnknownSession[]> {
      const all = [...found].map(async ([id, taskId]) => {
        const status = await ask(id);
        const isOver = status === undefined ? !isRunningHost(runDir.files(id).claim) : status.exit !== null;
        if (!isOver) return describe(id, taskId, status);
        await forget(id);
        return undefined;
      });
      return (await Promise.all(all)).filter((one) => one !== undefined);
    },

    /** Throws if an unknown agent is working in the task's worktree, which must be left alone then. */
    requireNone(taskId: string): void {
      if (![...found.values()].includes(taskId)) return;
      throw new DomainError(
        "conflict",
        "An agent that the board doesn't know is running in this task's worktree. Adopt it or end it first.",
      );
    },

    hasTask: (taskId: string) => [...found.values()].includes(taskId),

    /** Makes it the session of its task. */
    async adopt(id: string): Promise<TaskRow> {
      const taskId = require(id);
      if (taskId === null) {
        throw new DomainError(
          "conflict",
          "Nothing says which task this agent belongs to; it can only be ended.",
        );
      }
      const worktreePath = paths.worktree(taskId);
      requireWorktreeThere({ worktreePath, branch: null });
      const { repository, branch } = await placeOf(worktreePath);
      const status = await ask(id);
      const argv = status === undefined ? [] : argumentsOf(status.pid);
      const before = await taskFor(taskId, repository, branch ?? "Adopted agent", argv);
      require(id);
      const task = rows.accept(taskId, { type: "adopted" }, (row, tx) => ({
        columns: {
          ...{
            sessionId: id,
            worktreePath,
            branch,
            deletedAt: null,
            completedFrom: null,
            sessionError: null,
          },
          agentSessionId: conversationIn(argv) ?? row.agentSessionId,
          sessionStartedAt: status?.startedAt ?? new Date().toISOString(),
          ...(row.status !== "active" && { position: topOf(tx, "active") }),
        },
      }));
      found.delete(id);
      if (before.sessionId !== null && before.sessionId !== id) runDir.forget(before.sessionId);
      await watch.open({ taskId, sessionId: id });
      return task;
    },

    /** Ends it. Its worktree stays where it is. */
    async end(id: string): Promise<void> {
      require(id);
      await forget(id);
    },
  };
}

/** According to git and not to the worktree itself, whose files the agent can change. */
async function placeOf(worktree: string): Promise<{ repository: string; branch: string | null }> {
  const path = await canonicalPlace(worktree);
  const common = await commonDirectory(path);
  const administration = await administrationOf(common, path);
  if (administration === undefined) {
    throw new DomainError("conflict", `git does not know ${path} as a worktree; end the agent instead.`);
  }
  const { branch } = await readHead(administration.directory);
  return { repository: common.replace(/\/\.git$/, ""), branch };
}

/** The conversation's id, from the command line. */
const conversationIn = (argv: string[]): string | undefined =>
  /(?:^|\0)--(?:session-id|resume)[\0=]([0-9a-f-]{36})(?:\0|$)/.exec(argv.join("\0"))?.[1];
