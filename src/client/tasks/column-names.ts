import type { TaskStatus } from "../../contract.ts";

export const COLUMN_NAMES: Record<TaskStatus, string> = {
  backlog: "Backlog",
  active: "Active",
  done: "Done",
};

/** What an empty column is for. */
export const COLUMN_HINTS: Record<TaskStatus, string> = {
  backlog: "Ideas and tasks for later.",
  active: "Move a card here to work on it.",
  done: "Finished cards end up here.",
};
