// The words that server, host and page share. Imports nothing.

export const TASK_STATUSES = ["backlog", "active", "done"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const SESSION_STATUSES = [
  "pending",
  "provisioning",
  "running",
  "waiting_for_input",
  "done",
  "failed",
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const EXIT_STATUSES = ["done", "failed"] as const;

export const AGENTS = ["claude", "shell"] as const;
export const DEFAULT_AGENT = "claude";

/** Bounds of everything a person or a script can send. Lengths are in UTF-16 units. */
export const LIMITS = {
  title: 500,
  description: 65_536,
  projectName: 100,
  path: 4_096,
  branch: 250,
  setupCommand: 8_192,
  worktreeInclude: 8_192,
  agent: 64,
  position: 4_096,
  query: 200,
  bodyBytes: 1_048_576,
} as const;

/** Every error code a client can meet, with the HTTP status it travels under. */
export const ERROR_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden_origin: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  misdirected: 421,
  invalid: 422,
  too_many: 429,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorBody {
  error: { code: ErrorCode; message: string };
}
