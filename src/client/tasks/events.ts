// Applies the server's events to what the page shows.

import { invalidate } from "../shared/api/client.ts";
import { getProjects, getTasks, PROJECTS, TASKS, upsert } from "../shared/api/lists.ts";
import type { LiveEvent } from "../shared/api/live.ts";
import type { AuditEntry, Project, Task } from "../shared/api/rows.ts";
import { USAGE } from "../shared/api/usage.ts";
import { refreshAudit } from "./audit.ts";
import { isLive } from "./display-status.ts";
import { fetchGlimpses, takeGlimpse } from "./glimpses.ts";
import { LOGS, TRASH } from "./session-logs.ts";
import { isShellEvent, takeShell } from "./shells.ts";
import { takeUnseen } from "./unseen.ts";

/** The server does not repeat events about glimpses. If fetching them fails, the next connection tries again. */
export function catchUp() {
  fetchGlimpses().catch(() => {});
}

export function takeEvent(event: LiveEvent) {
  if (event.type === "reset") void invalidate();
  else if (event.type === "task") takeTask(event.row as Task);
  else if (event.type === "project") takeProject(event.row as Project);
  else if (event.type === "audit") takeAudit(event.row as AuditEntry);
  else if (event.type === "session") takeSession(event.row as object);
}

function takeTask(task: Task) {
  const before = getTasks().find(({ id }) => id === task.id);
  upsert(TASKS, task);
  if (before && !hasSessionChanged(before, task)) return;
  void invalidate([...LOGS, task.id]);
  void invalidate(TRASH);
  void invalidate(USAGE);
}

/** A session began or ended, or its worktree was archived or restored. */
const hasSessionChanged = (before: Task, now: Task) =>
  isLive(before) !== isLive(now) ||
  before.sessionId !== now.sessionId ||
  before.sessionOperation !== now.sessionOperation ||
  before.worktreePath !== now.worktreePath ||
  before.deletedAt !== now.deletedAt;

function takeAudit(entry: AuditEntry) {
  takeUnseen(entry);
  refreshAudit();
}

function takeProject(project: Project) {
  const isRestored = project.deletedAt === null && !getProjects().some(({ id }) => id === project.id);
  upsert(PROJECTS, project);
  if (isRestored) void invalidate(TASKS); // a restored project brings its tasks along
}

const takeSession = (event: object) => (isShellEvent(event) ? takeShell(event) : takeGlimpse(event));
