import type { Task } from "../../../src/client/shared/api/rows.ts";
import { placeholder } from "../../../src/client/tasks/placeholder.ts";

export const NOW = "2026-01-01T00:00:00.000Z";

/** A task of these fields, else as a new one has them. */
export const task = (id: string, fields: Partial<Task> = {}): Task => ({
  ...placeholder({ projectId: "p", title: id, status: "backlog", at: Date.parse(NOW), key: id }),
  id,
  position: "a0",
  ...fields,
});
