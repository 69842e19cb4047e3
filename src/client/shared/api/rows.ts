// The rows of the server's lists, as they come.

import type { api } from "./client.ts";

type Answered<Call extends (...args: never[]) => Promise<{ data: unknown }>> = NonNullable<
  Awaited<ReturnType<Call>>["data"]
>;
type Row<Call extends (...args: never[]) => Promise<{ data: unknown }>> =
  Answered<Call> extends readonly (infer Each)[] ? Each : never;

type OfTask = ReturnType<typeof api.tasks>;

export type Project = Row<typeof api.projects.get>;
export type Task = Row<typeof api.tasks.get>;
export type Shell = Row<OfTask["shells"]["get"]>;
export type SessionLog = Row<OfTask["session-logs"]["get"]>;
export type AuditEntry = Row<typeof api.audit.get>;
export type Snapshot = Row<typeof api.snapshots.get>;
export type UnknownSession = Row<(typeof api)["unknown-sessions"]["get"]>;
export type TrashEntry = Row<typeof api.trash.get>;
/** What is in a task's worktree. */
export type Work = Answered<OfTask["worktree"]["get"]>;
