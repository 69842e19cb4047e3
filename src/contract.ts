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

/** Something is running, or about to run. */
export const isLive = (status: SessionStatus | null) => LIVE.includes(status);

/** A session's error if a person stopped it, which is not a failure. */
export const STOPPED = "Stopped.";

/** Multi-step actions on a task's session. At most one runs at a time. */
export const OPERATIONS = ["start", "stop", "archive", "restore"] as const;
export type Operation = (typeof OPERATIONS)[number];

export const EXIT_STATUSES = ["done", "failed"] as const;

/** Where a card was before it was completed, so that `reopen` can put it back. */
export interface CompletedFrom {
  status: TaskStatus;
  position: string;
  /** Its worktree went to the trash. */
  hadWorktree: boolean;
}

/** How long an archived worktree is kept, if a snapshot has all of it. */
export const TRASH_DAYS = 30;

/** Why a worktree in the trash does not expire: nothing else has all of it. */
export type KeptBecause = "aside" | "no_snapshot" | "partial" | "snapshot_gone" | "snapshot_damaged";

export const AGENTS = ["claude", "codex", "opencode", "gemini", "shell"] as const;
export const DEFAULT_AGENT = "claude";

/** What an agent is doing, in more detail than running and waiting_for_input. */
export const ACTIVITY_KINDS = [
  "working",
  /** Asks for a permission: see the task's `asks`. */
  "permission",
  /** Asks the person something. */
  "question",
  /** The turn is over; the task's `lastReply` is what it said. */
  "finished",
  /** The turn is over too, but something it started goes on; `reason` says what. */
  "background",
  /** Out of quota, until `until` where that is known. */
  "limited",
  /** Nothing asked yet, or interrupted. */
  "idle",
  /** Can't go on until a person fixes something; `reason` says what. */
  "trouble",
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export interface AgentActivity {
  kind: ActivityKind;
  /** For people, one line or a few; null if the kind says it all. */
  reason: string | null;
  since: string;
  until: string | null;
  /** banto sees less of it than of others of its kind: why, in a sentence. */
  less?: string;
  /** Why a prompt would not be taken now; absent if it would. */
  held?: string;
  /** What it may do now without asking, where that is known. */
  permissions?: Permissions;
}

export interface Permissions {
  /** In words for a person, such as "Asks before commands and edits". */
  allows: string;
  /** Nothing holds it back. */
  isUnlimited: boolean;
}

export const PROMPT_STATES = [
  /** Goes out as soon as the agent can take it. */
  "queued",
  "typing",
  /** The agent said that it took it. */
  "accepted",
  /** Typed at an agent that doesn't say whether it took it. */
  "typed",
  /** The agent didn't take it: not sent. */
  "refused",
  /** It may have been sent; banto can't tell. */
  "unsure",
] as const;
export type PromptState = (typeof PROMPT_STATES)[number];

/** A prompt on its way to a session, or the last one that got there. */
export interface QueuedPrompt {
  id: string;
  /** The session it was written for. It is sent to no other by itself. */
  sessionId: string;
  text: string;
  state: PromptState;
  /** Why it is in this state, or still in it; null if that says it all. */
  reason: string | null;
  /** When it came into this state. */
  at: string;
  /** Doesn't wait for the end of the turn. */
  now?: boolean;
}

export interface AskQuestion {
  question: string;
  /** A word or two. */
  header: string | null;
  /** More than one option may be chosen. */
  multiple: boolean;
  options: { label: string; description: string | null }[];
}

/** What an agent is asking now, and what can be answered without its terminal. */
export interface Ask {
  id: string;
  /** The tool it is about, as the agent names it. */
  tool: string;
  /** One line. */
  summary: string;
  /** All of it, as text: the whole command, a diff, or JSON. */
  detail: string;
  /** What "always" would allow, in words; null if the agent doesn't offer it. */
  always: string | null;
  /** For questions: each one with the answers to choose from. */
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

export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** How long it thinks. */
export const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];

/** How to start an agent. A task's options override its project's, one by one. */
export interface AgentOptions {
  model?: string;
  permissionMode?: PermissionMode;
  effort?: Effort;
  extraArgs?: string[];
  /** Where it keeps settings, logins and conversations, if not in the usual place. */
  configDir?: string;
}

/** Which options an agent has, so that one form serves all. */
export interface KnownOptions {
  /** What its models are called, as a regular expression and an example. */
  model: { pattern: string; example: string };
  /** The permission modes that it has, and what each allows, in words. */
  modes: Partial<Record<PermissionMode, string>>;
  /** Those that it knows, the least first. */
  efforts: readonly Effort[];
  /** By which variable it is told the directory, where that is otherwise, and what is in it. */
  configDir: { variable: string; usual: string; holds: string };
}

export interface RateLimit {
  usedPercent: number;
  resetsAt: string | null;
}

/** Figures of a running agent, null while unknown. They change often, so they are sent as events and not stored. */
export interface Gauges {
  model: string | null;
  /** How full its context is. */
  contextPercent: number | null;
  /** What this session has cost so far. */
  costUsd: number | null;
  fiveHour: RateLimit | null;
  sevenDay: RateLimit | null;
  /** The agent program's version. */
  version: string | null;
}

/** Limits on everything people and scripts can send. Lengths are in UTF-16 units. */
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
  /** Agents for which a project has options. */
  agentsOptions: 64,
  extraArg: 1_000,
  /** What a denial says to the agent, and one answer to a question. */
  answer: 16_384,
  /** How much is kept of what agents ask and say. */
  askDetail: 65_536,
  askId: 300,
  lastReply: 16_384,
  usageDays: 366,
  shellName: 60,
  shellsPerTask: 16,
  /** Typed with one request. All prompts that wait for one agent are no longer together. */
  input: 500_000,
  promptsPerTask: 20,
  /** What is kept of a prompt that was sent. */
  sentPrompt: 300,
  bodyBytes: 1_048_576,
  /** From somebody who hasn't signed in. */
  loginBytes: 4_096,
  idempotencyKey: 100,
  /** Of an uploaded file. */
  fileBytes: 67_108_864,
  fileName: 1_000,
  filesPerTask: 500,
} as const;

/** What is written down about who answered an agent, who changed what agents may do or run, and who signed in. */
export const AUDIT_ACTIONS = [
  /** `detail`: the ask as it was shown, the decision, and what was written with it. */
  "answer",
  /** The answer before it came too late; `detail.entry` is its id. */
  "answer_too_late",
  /** No longer asked, and not answered through banto. `detail`: the ask, who typed meanwhile, whether the session ended. */
  "ask_over",
  /** Somebody typed into the terminal while it asked: once for each ask and each who. */
  "input",
  /** Model, permissions, arguments: of a task, or of a project. `detail`: before and after, as in the other changes. */
  "agent_options",
  "agent",
  "setup_command",
  /** The commands in agents.toml, edited by hand. */
  "agents_file",
  /** `detail.from`: the browser's address; null for this machine. */
  "sign_in",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did something. */
export interface Actor {
  by: "browser" | "token" | "file" | "terminal";
  /** In words for a person. */
  name: string;
  /** The beginning of the login's digest; null without a login. */
  login: string | null;
}

/** Something changed. */
export interface BoardEvent {
  /** `<boot>-<number>`: a client names the last one it has and gets what it missed. Without one, it is not repeated. */
  id?: string;
  type: "task" | "project" | "session" | "audit";
  row: unknown;
}

/** What clients that listen to the board receive. */
export type EventMessage =
  | BoardEvent
  /** Everything has to be fetched again. Later events follow this id. */
  | { type: "reset"; id: string }
  /** Every ten seconds, to show that the connection is alive. */
  | { type: "ping" };

/** The smallest and the largest a terminal can be. */
export const SIZE_LIMITS = { cols: [2, 500], rows: [1, 300] } as const;

/** The subprotocol of a terminal socket with control messages. Without it the socket is a plain pipe. */
export const TERMINAL_PROTOCOL = "banto.terminal.v1";

/** The subprotocol of the socket for events, for clients that have to name one. */
export const EVENT_PROTOCOL = "banto.events.v1";

/** The header with the half of a browser's login that isn't a cookie. */
export const PAGE_KEY_HEADER = "x-banto-page-key";

/** Precedes the page key in a subprotocol's name, because pages can't send headers with a WebSocket. */
export const PAGE_KEY_PROTOCOL = "banto.page-key.";

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
  /** The session goes on, but its terminal can't be shown now. The close reason says why. */
  unreachable: 4410,
} as const;

/**
 * What the server says in text frames. Offsets count the bytes of output since the session began. The first
 * `snapshotBytes` bytes after a hello or a resync don't count.
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

/** What a client may say in text frames. The server ignores types it doesn't know. */
export type ClientControl =
  | { type: "ack"; offset: number }
  /** The size of this viewer's window. It becomes the terminal's, unless somebody else typed last. */
  | { type: "resize"; cols: number; rows: number };

/** Every error code a client can meet, with the HTTP status it travels under. */
export const ERROR_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  /** A cookie without its page key. */
  half_login: 401,
  forbidden_origin: 403,
  not_found: 404,
  conflict: 409,
  worktree_missing: 409,
  /** A lock of git's is in the worktree that is to be worked in. */
  worktree_locked: 409,
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
