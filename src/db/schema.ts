import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  type AgentActivity,
  type AgentOptions,
  type Ask,
  type CompletedFrom,
  EXIT_STATUSES,
  OPERATIONS,
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
    /** How agents of this project are started, unless their task says otherwise. */
    agentOptions: text({ mode: "json" }).$type<AgentOptions>(),
    /** Whether its agents may call for a person. */
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
    // The session, all null while there is none. Only the session runner writes these.
    sessionStatus: text({ enum: SESSION_STATUSES }),
    sessionId: text(),
    agentSessionId: text(),
    worktreePath: text(),
    branch: text(),
    sessionStartedAt: text(),
    sessionError: text(),
    /** Since when the session stands as it does. */
    sessionChangedAt: text(),
    /** What is being done to the session right now, in several steps; its row in `operations` has the rest. */
    sessionOperation: text({ enum: OPERATIONS }),
    /** What a live agent is doing; null while nothing is known. */
    activity: text({ mode: "json" }).$type<AgentActivity>(),
    /** What it wants to know right now. */
    asks: text({ mode: "json" }).$type<Ask>(),
    /** What it said at the end of its last turn; stays until another session begins. */
    lastReply: text(),
    /** Where a completed task was before; null when it was not completed, or has been moved since. */
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
    /** When the session's worktree left its place; sessions that shared one share what follows. */
    archivedAt: text(),
    /** Why it left: "retry", "complete", "delete", or "aside" when a new worktree found it in its place. */
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

/** Intent rows: what an action of several steps is about to do, written before it does it. */
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
  // Never two at once for one task.
  (table) => [uniqueIndex("operations_task").on(table.taskId)],
);

/** Requests that carried an Idempotency-Key, for a day: a retry gets the first answer again. */
export const idempotencyKeys = sqliteTable("idempotency_keys", {
  key: text().primaryKey(),
  /** A digest of method, address, body and the token: the database alone doesn't tell what was sent. */
  request: text().notNull(),
  /** The row that was changed: the answer, as it is by then, where the first one got lost. */
  rowId: text(),
  /** null until it has been answered. */
  status: integer(),
  body: text(),
  createdAt: text().notNull(),
});

/** Browsers that are signed in. */
export const logins = sqliteTable("logins", {
  /** A digest of the cookie's value and the token: the database alone lets nobody in. */
  cookieHash: text().primaryKey(),
  createdAt: text().notNull(),
  expiresAt: text().notNull(),
});
