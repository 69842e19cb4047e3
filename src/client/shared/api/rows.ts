// The rows of the server's lists, as they come.

import type { api } from "./client.ts";

type Row<Call extends (...args: never[]) => Promise<{ data: unknown }>> =
  NonNullable<Awaited<ReturnType<Call>>["data"]> extends readonly (infer Each)[] ? Each : never;

type OfTask = ReturnType<typeof api.tasks>;

export type Project = Row<typeof api.projects.get>;
export type Task = Row<typeof api.tasks.get>;
export type Shell = Row<OfTask["shells"]["get"]>;
export type SessionLog = Row<OfTask["session-logs"]["get"]>;
export type TrashEntry = Row<typeof api.trash.get>;
