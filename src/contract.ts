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

const LIVE: readonly (SessionStatus | null)[] = ["pending", "provisioning", "running", "waiting_for_input"];

/** Something runs, or is about to. */
export const isLive = (status: SessionStatus | null) => LIVE.includes(status);

/** A session's error when a person ended it, which is no failure. */
export const STOPPED = "Stopped.";

/** Actions of several steps on a task's session; at most one is under way at a time. */
export const OPERATIONS = ["start", "stop", "archive", "restore"] as const;
export type Operation = (typeof OPERATIONS)[number];

export const EXIT_STATUSES = ["done", "failed"] as const;

/** Where a card was before it was completed: `reopen` brings it back there. */
export interface CompletedFrom {
  status: TaskStatus;
  position: string;
  /** Its worktree went to the trash. */
  hadWorktree: boolean;
}

/** How long an archived worktree is kept. */
export const TRASH_DAYS = 30;

export const AGENTS = ["claude", "shell"] as const;
export const DEFAULT_AGENT = "claude";

/** What an agent is doing, in finer words than running and waiting_for_input. */
export const ACTIVITY_KINDS = [
  "working",
  /** Asks to be allowed something: see the task's `asks`. */
  "permission",
  /** Asks the person something. */
  "question",
  /** The turn is over; the task's `lastReply` is what it said. */
  "finished",
  /** Out of quota, until `until` where that is known. */
  "limited",
  /** Nothing asked yet, or interrupted. */
  "idle",
  /** Can't go on until a person has put something right; `reason` says what. */
  "trouble",
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export interface AgentActivity {
  kind: ActivityKind;
  /** For a person, one line or a few; null where the kind says it all. */
  reason: string | null;
  since: string;
  until: string | null;
}

export interface AskQuestion {
  question: string;
  /** A word or two. */
  header: string | null;
  /** More than one option may be chosen. */
  multiple: boolean;
  options: { label: string; description: string | null }[];
}

/** What an agent wants to know now, and what can be answered without its terminal. */
export interface Ask {
  id: string;
  /** The tool it is about, as the agent names it. */
  tool: string;
  /** One line. */
  summary: string;
  /** All of it, as text: the whole command, a diff, or JSON. */
  detail: string;
  /** What "always" would allow, in words; null where that is not on offer. */
  always: string | null;
  /** For questions: what is asked, with the answers to choose from. */
  questions: AskQuestion[] | null;
  /** False when it can only be answered in the terminal. */
  canAnswer: boolean;
}

export const DECISIONS = ["allow", "always", "deny"] as const;
export type Decision = (typeof DECISIONS)[number];

export const PERMISSION_MODES = [
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions",
] as const;

/** How an agent is to be started; a task's win over its project's, one by one. */
export interface AgentOptions {
  model?: string;
  permissionMode?: (typeof PERMISSION_MODES)[number];
  extraArgs?: string[];
  /** Where it keeps its settings, logins and conversations, if not in the usual place. */
  configDir?: string;
}

export interface RateLimit {
  usedPercent: number;
  resetsAt: string | null;
}

/** Figures of a running agent, null while unknown. They change often and are told, not kept. */
export interface Gauges {
  model: string | null;
  /** How full its context is. */
  contextPercent: number | null;
  /** Of this session so far. */
  costUsd: number | null;
  fiveHour: RateLimit | null;
  sevenDay: RateLimit | null;
  /** Of the agent's program. */
  version: string | null;
}

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
  model: 100,
  extraArgs: 32,
  extraArg: 1_000,
  /** What a denial says to the agent, and one answer to a question. */
  answer: 16_384,
  /** Kept of what an agent asks and says. */
  askDetail: 65_536,
  lastReply: 16_384,
  usageDays: 366,
  shellName: 60,
  shellsPerTask: 16,
  /** Typed by one request. */
  input: 500_000,
  bodyBytes: 1_048_576,
  idempotencyKey: 100,
  /** Of a file that is handed to a terminal. */
  fileBytes: 67_108_864,
  fileName: 1_000,
  filesPerTask: 500,
} as const;

/** Something changed. */
export interface BoardEvent {
  /** `<boot>-<number>`: a client names the last one it has and gets what it missed. None: not told again. */
  id?: string;
  type: "task" | "project" | "session";
  row: unknown;
}

/** What whoever listens to the board is told. */
export type EventMessage =
  | BoardEvent
  /** Everything has to be fetched anew; what follows comes after this id. */
  | { type: "reset"; id: string }
  /** Every ten seconds: the line is alive. */
  | { type: "ping" };

/** The smallest and the largest a terminal can be. */
export const SIZE_LIMITS = { cols: [2, 500], rows: [1, 300] } as const;

/** The subprotocol of a terminal's socket that has control messages; without it the socket is a plain pipe. */
export const TERMINAL_PROTOCOL = "banto.terminal.v1";

/** Why the server closed a socket. */
export const CLOSE = {
  ended: 1000,
  malformed: 1008,
  tooLarge: 1009,
  failed: 1011,
  comeBack: 1012,
  signedOut: 4401,
  noSession: 4404,
  tooSlow: 4408,
  replaced: 4409,
} as const;

/**
 * What the server says in text frames. Offsets count the bytes of output since the session began; the
 * next `snapshotBytes` bytes after a hello or a resync are no part of that count.
 */
export type ServerControl =
  | {
      type: "hello";
      viewer: number;
      offset: number;
      cols: number;
      rows: number;
      replay: "full" | "delta" | "snapshot";
      snapshotBytes: number;
    }
  | { type: "live"; offset: number }
  | { type: "size"; cols: number; rows: number; owner: number | null }
  | { type: "resync"; offset: number; lost: number; cols: number; rows: number; snapshotBytes: number }
  | { type: "exit"; code: number | null; signal: string | null };

/** What a client may say in text frames. Types the server does not know are left alone. */
export type ClientControl =
  | { type: "ack"; offset: number }
  /** The size of this viewer's window: the terminal's too, unless somebody else typed last. */
  | { type: "resize"; cols: number; rows: number };

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
  no_space: 507,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorBody {
  error: { code: ErrorCode; message: string };
}
