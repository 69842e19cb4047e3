// What must be true before a session is accepted. Each refusal says what to do.

import { and, count, inArray, ne } from "drizzle-orm";
import { isLive, SESSION_STATUSES } from "../../../contract.ts";
import type { Tx } from "../../../db/open.ts";
import { tasks } from "../../../db/schema.ts";
import { freeBytes } from "../../disk.ts";
import { DomainError } from "../../errors.ts";
import { branchName } from "../../git/repository/branch-name.ts";
import { type Survey, surveyRepository } from "../../git/repository/survey.ts";
import { locksOf } from "../../git/worktrees/left-locks.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { agentRun } from "../operations/agent-run.ts";
import type { SessionParts } from "../parts.ts";

const SPACE_NEEDED = 64 << 20;
const LIVE = SESSION_STATUSES.filter(isLive);

export function requireRoom(tx: Tx, limit: number, taskId: string) {
  const others = and(inArray(tasks.sessionStatus, LIVE), ne(tasks.id, taskId));
  const running = tx.select({ number: count() }).from(tasks).where(others).get()?.number ?? 0;
  if (running < limit) return;
  throw new DomainError(
    "too_many",
    `The limit of ${limit} running ${limit === 1 ? "session" : "sessions"} has been reached. Stop one, or raise BANTO_MAX_SESSIONS.`,
  );
}

export async function requireStartable(
  { rows, agents, runDir }: SessionParts,
  task: TaskRow,
  type: "start" | "resume" | "retry",
  unlock: boolean,
): Promise<Survey | undefined> {
  const project = rows.project(task.projectId);
  agents.command(task.agent, agentRun(task, project, type === "resume")); // throws what is wrong with it
  requireSpace(runDir.path);
  runDir.requireRoomForSocket();
  if (type === "resume") {
    if (!unlock) await requireUnlocked(project.path, task.worktreePath);
    return undefined;
  }
  const branch = branchName(task.id, task.title);
  // Throws if there is no commit.
  return surveyRepository({ repository: project.path, base: project.baseBranch, branch });
}

async function requireUnlocked(repository: string, path: string | null): Promise<void> {
  const [lock] = path === null ? [] : await locksOf({ repository, path });
  if (lock === undefined) return;
  throw new DomainError(
    "worktree_locked",
    `A git process that was stopped left a lock, so nothing in the worktree can be changed: ${lock}. Make sure no git is running there, then remove the lock and resume.`,
  );
}

function requireSpace(path: string) {
  if (freeBytes(path) >= SPACE_NEEDED) return;
  throw new DomainError(
    "invalid",
    "The disk with banto's data is nearly full. Free some space, then start the session again.",
  );
}
