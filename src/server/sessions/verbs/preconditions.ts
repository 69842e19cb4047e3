// What must hold before a session is promised; each refusal says what to do.

import { statfsSync } from "node:fs";
import { and, count, inArray, ne } from "drizzle-orm";
import { isLive, SESSION_STATUSES } from "../../../contract.ts";
import type { Tx } from "../../../db/open.ts";
import { tasks } from "../../../db/schema.ts";
import { DomainError } from "../../errors.ts";
import { branchName } from "../../git/repository/branch-name.ts";
import { type Survey, surveyRepository } from "../../git/repository/survey.ts";
import type { TaskRow } from "../../tasks/tasks.ts";
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
    `The limit of ${limit} running ${limit === 1 ? "session" : "sessions"} is reached; stop one, or raise BANTO_MAX_SESSIONS.`,
  );
}

export async function requireStartable(
  { rows, agents, runDir }: SessionParts,
  task: TaskRow,
  type: "start" | "resume" | "retry",
): Promise<Survey | undefined> {
  const project = rows.project(task.projectId);
  agents.command(task.agent, agentRun(task, project, type === "resume")); // throws what is wrong with it
  requireSpace(runDir.path);
  runDir.requireRoomForSocket();
  if (type === "resume") return undefined;
  const branch = branchName(task.id, task.title);
  // Throws when there is no commit.
  return surveyRepository({ repository: project.path, base: project.baseBranch, branch });
}

function requireSpace(path: string) {
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize >= SPACE_NEEDED) return;
  throw new DomainError(
    "invalid",
    "The disk that holds banto's data is nearly full; free some space, then start the session again.",
  );
}
