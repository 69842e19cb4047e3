import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  type Actor,
  type AgentActivity,
  type AgentOptions,
  type Ask,
  AUDIT_ACTIONS,
  type CompletedFrom,
  EXIT_STATUSES,
  OPERATIONS,
  type QueuedPrompt,
  SESSION_STATUSES,
  TASK_STATUSES,
} from "../contract.ts";

// Times are ISO 8601 UTC text. `deletedAt` marks a row that can still be brought back.

export const projects = sqliteTable(
  "projects",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** Canonical path of a git repository on this host. */
    path: text().notNull(),
    /** null while the repository has no commit. */
    baseBranch: text(),
    /** Runs in the terminal of a new worktree, before the agent. */
    setupCommand: text(),
    /** Ignored files to copy into a new worktree besides .worktreeinclude; gitignore syntax. */
    worktreeInclude: text(),
    /** Which agent its new tasks get; null while nobody has decided, which is the default one. */
    agent: text(),
    /** How that agent is started, unless a task says otherwise. */
    agentOptions: text({ mode: "json" }).$type<AgentOptions>(),
    /** The same for other agents, by their names. */
    otherOptions: text({ mode: "json" }).$type<Record<string, AgentOptions>>(),
    /** Whether its agents may notify people. */
    notify: integer({ mode: "boolean" }).notNull().default(true),
    createdAt: text().notNull(),
    updatedAt: text().notNull(),
    deletedAt: text(),
  },
  (table) => [uniqueIndex("projects_path").on(table.path).where(sql`${table.deletedAt} is null`)],
);

export const tasks = sqliteTable(
  "tasks",
  {
    id: text().primaryKey(),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    title: text().notNull(),
    description: text(),
    pinned: integer({ mode: "boolean" }).notNull().default(false),
    status: text({ enum: TASK_STATUSES }).notNull().default("backlog"),
    /** Fractional index: text whose byte order is the order in the column. */
    position: text().notNull(),
    agent: text().notNull(),
    agentOptions: text({ mode: "json" }).$type<AgentOptions>(),
    /** The options of agents it had before, by their names: they come back with their agent. */
    otherOptions: text({ mode: "json" }).$type<Record<string, AgentOptions>>(),
    // The session, all null while there is none. Only the session runner writes these.
    sessionStatus: text({ enum: SESSION_STATUSES }),
    sessionId: text(),
    agentSessionId: text(),
    /** Relative to the data directory, so that it can be moved. */
    worktree: text("worktree_path"),
    branch: text(),
    sessionStartedAt: text(),
    sessionError: text(),
    /** When the session's state last changed. */
    sessionChangedAt: text(),
    /** The operation that is running on the session. Its row in `operations` has the details. */
    sessionOperation: text({ enum: OPERATIONS }),
    /** What a live agent is doing; null while nothing is known. */
    activity: text({ mode: "json" }).$type<AgentActivity>(),
    /** What it is asking right now. */
    asks: text({ mode: "json" }).$type<Ask>(),
    /** What it said at the end of its last turn. Stays until another session begins. */
    lastReply: text(),
    /** What people want to say to its agent next, oldest first, after the last one that was sent. Stays until somebody discards it. */
    prompts: text({ mode: "json" }).$type<QueuedPrompt[]>(),
    /** Where a completed task was before; null if it isn't completed, or was moved since. */
    completedFrom: text({ mode: "json" }).$type<CompletedFrom>(),
    createdAt: text().notNull(),
    updatedAt: text().notNull(),
    deletedAt: text(),
  },
  (table) => [
    index("tasks_column").on(table.status, table.position),
    index("tasks_project").on(table.projectId),
  ],
);

/** One row per session that ended. Never the output itself. */
export const sessionLogs = sqliteTable(
  "session_logs",
  {
    id: text().primaryKey(),
    taskId: text()
      .notNull()
      .references(() => tasks.id),
    sessionId: text(),
    startedAt: text().notNull(),
    endedAt: text().notNull(),
    exitStatus: text({ enum: EXIT_STATUSES }).notNull(),
    error: text(),
    branch: text(),
    agentSessionId: text(),
    exitCode: integer(),
    exitSignal: text(),
    lastReply: text(),
    costUsd: real(),
    model: text(),
    /** When the session's worktree was archived. Sessions that shared a worktree share the following columns. */
    archivedAt: text(),
    /** Goes up with every archived worktree, whatever the clock says. */
    archiveNumber: integer(),
    /** Why: "retry", "complete", "delete", or "aside" if it was in the way of a new worktree. */
    archivedFor: text(),
    /** refs/banto/<task>/<n> in the project's repository. */
    snapshotRef: text(),
    /** The folder's name in the trash, while it is there. */
    trash: text(),
    /** When the folder was deleted for good. */
    purgedAt: text(),
  },
  (table) => [
    index("session_logs_task").on(table.taskId, table.endedAt),
    uniqueIndex("session_logs_session").on(table.sessionId),
  ],
);

/** Intent rows: what a multi-step action is about to do, written before it does it. */
export const operations = sqliteTable(
  "operations",
  {
    id: text().primaryKey(),
    kind: text({ enum: OPERATIONS }).notNull(),
    taskId: text()
      .notNull()
      .references(() => tasks.id),
    step: text().notNull(),
    detail: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    startedAt: text().notNull(),
  },
  // At most one per task.
  (table) => [uniqueIndex("operations_task").on(table.taskId)],
);

/** Requests that carried an Idempotency-Key, for a day: a retry gets the first answer again. */
export const idempotencyKeys = sqliteTable("idempotency_keys", {
  key: text().primaryKey(),
  /** A digest of method, address, body and the token, so that the database alone doesn't reveal what was sent. */
  request: text().notNull(),
  /** The changed row. If the first answer was lost, the row as it is now is the answer. */
  rowId: text(),
  /** null until it has been answered. */
  status: integer(),
  body: text(),
  createdAt: text().notNull(),
});

/** Browsers that are signed in. */
export const logins = sqliteTable("logins", {
  /** A digest of the token, the cookie and the page key: neither half lets anyone in, nor does the database. */
  cookieHash: text().primaryKey(),
  createdAt: text().notNull(),
  expiresAt: text().notNull(),
});

/** Who answered an agent, and who changed what agents may do or run. Triggers keep rows from being changed or removed. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: text().notNull(),
    action: text({ enum: AUDIT_ACTIONS }).notNull(),
    taskId: text(),
    projectId: text(),
    who: text({ mode: "json" }).$type<Actor>().notNull(),
    detail: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("audit_entries_task").on(table.taskId)],
);
