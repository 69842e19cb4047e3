// The only writer of the session columns, session logs and intent rows. Each change is one transaction: the state
// machine decides, and row, intent and log are written together or not at all.

import { and, desc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { isLive, type Operation, type SessionStatus } from "../../contract.ts";
import type { Store, Tx } from "../../db/open.ts";
import { operations, projects, sessionLogs, tasks } from "../../db/schema.ts";
import { DomainError, notFound } from "../errors.ts";
import type { Events } from "../events/events.ts";
import { newId } from "../ids.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { readTask, storedTask, type TaskRow } from "../tasks/task-row.ts";
import { updatedAfter } from "../updated-at.ts";
import { isRejection, type Rejection, type SessionEvent, type SessionState, transition } from "./state.ts";

export type OperationRow = typeof operations.$inferSelect;
export type SessionLog = typeof sessionLogs.$inferSelect;

type Columns = Partial<
  Pick<
    TaskRow,
    | "sessionId"
    | "agentSessionId"
    | "worktreePath"
    | "branch"
    | "sessionStartedAt"
    | "sessionError"
    | "activity"
    | "asks"
    | "lastReply"
    | "deletedAt"
    | "position"
    | "completedFrom"
  >
>;

/** What is written along with a transition. */
export interface Change {
  columns?: Columns;
  /** The first step of the operation that the transition starts. */
  step?: string;
  detail?: Record<string, unknown>;
}

/**
 * Events that a start after a power cut would find out again, so that losing them costs only a moment. A request for a
 * start is answered once it has reached the disk. Its work has begun by then, because it can safely be repeated.
 */
const FOUND_OUT_AGAIN: SessionEvent["type"][] = [
  "start",
  "resume",
  "provisioning",
  "launched",
  "output",
  "asks",
];

/** An agent does nothing before its session begins and after it ends. While "pending", a previous one may still run. */
const NOT_AT_WORK = { activity: null, asks: null };
const isAtWork = (status: SessionStatus | null) => isLive(status) && status !== "pending";

/** The state machine refused. Thrown, so that the transaction is rolled back. */
class Refused extends DomainError {}

/** A refusal that may not be repeated once the operation in progress is over. */
export class Busy extends Refused {}

export type SessionRows = ReturnType<typeof createSessionRows>;

export function createSessionRows({ store, events }: { store: Store; events: Events }) {
  // Prepared, because they run all the time. There is one connection, so they see what a transaction has written.
  const { db, root } = store;
  const read = readTask(root);
  const id = sql.placeholder("id");
  const taskById = db.select().from(tasks).where(eq(tasks.id, id)).prepare();
  const operationByTask = db.select().from(operations).where(eq(operations.taskId, id)).prepare();
  const projectById = db.select().from(projects).where(eq(projects.id, id)).prepare();
  const endOperation = db.delete(operations).where(eq(operations.taskId, id)).prepare();
  const beginOperation = db
    .insert(operations)
    .values({
      ...{ id, kind: sql.placeholder("kind"), taskId: sql.placeholder("taskId") },
      ...{ step: sql.placeholder("step"), detail: sql.placeholder("detail") },
      startedAt: sql.placeholder("startedAt"),
    })
    .prepare();
  const find = (taskId: string): TaskRow | undefined => {
    const row = taskById.get({ id: taskId });
    return row && read(row);
  };
  const operationOf = (taskId: string) => operationByTask.get({ id: taskId });

  function writeOperation(
    task: TaskRow,
    kind: Operation | null,
    step = "accepted",
    detail: Record<string, unknown> = {},
  ) {
    if (kind === task.sessionOperation) return;
    endOperation.run({ id: task.id });
    if (kind === null) return;
    const startedAt = new Date().toISOString();
    beginOperation.run({ id: newId(), kind, taskId: task.id, step, detail, startedAt });
  }

  function change(
    taskId: string,
    event: SessionEvent,
    decide: (task: TaskRow, tx: Tx) => Change,
    sessionId?: string,
  ): TaskRow {
    const write = FOUND_OUT_AGAIN.includes(event.type) ? store.note : store.write;
    const changed = write((tx): TaskRow => {
      const task = find(taskId);
      if (task === undefined) throw new Refused("conflict", "The task is gone.");
      if (task.sessionId !== (sessionId ?? task.sessionId))
        throw new Refused("conflict", "That session is over.");
      const before = stateOf(task);
      const next = requireAccepted(transition(before, event));
      const { columns, step, detail } = decide(task, tx);
      const error = columns?.sessionError === undefined ? task.sessionError : columns.sessionError;
      const isSame =
        next.session === before.session &&
        next.hasWorktree === before.hasWorktree &&
        error === task.sessionError;
      writeOperation(task, next.operation, step, detail);
      const written = tx
        .update(tasks)
        .set({
          status: next.status,
          sessionStatus: next.session,
          sessionOperation: next.operation,
          ...storedTask(root, { ...columns }),
          ...(!isAtWork(next.session) && NOT_AT_WORK),
          ...(!isSame && { sessionChangedAt: new Date().toISOString() }),
          updatedAt: updatedAfter(task),
        })
        .where(eq(tasks.id, taskId))
        .returning()
        .get();
      return read(written);
    });
    events.publish("task", changed);
    return changed;
  }

  return {
    /** Resolves once everything accepted so far would survive a power cut. */
    settled: store.settled,

    find,

    require(taskId: string): TaskRow {
      const task = find(taskId);
      if (task === undefined) throw notFound("task", taskId);
      return task;
    },

    operation: operationOf,

    operations: () => db.select().from(operations).all(),

    /** Every task whose session may have a host, including deleted ones. */
    withSession: () => db.select().from(tasks).where(isNotNull(tasks.sessionStatus)).all().map(read),

    /** Tasks that were deleted, alone or with their project, and whose worktree is still in place. */
    hiddenWithWorktree: () =>
      db
        .select({ id: tasks.id })
        .from(tasks)
        .innerJoin(projects, eq(projects.id, tasks.projectId))
        .where(
          and(
            isNotNull(tasks.worktree),
            isNull(tasks.sessionOperation),
            or(isNotNull(tasks.deletedAt), isNotNull(projects.deletedAt)),
          ),
        )
        .all()
        .map(({ id }) => id),

    ofProject: (projectId: string) =>
      db
        .select({ id: tasks.id })
        .from(tasks)
        .where(and(eq(tasks.projectId, projectId), isNull(tasks.deletedAt)))
        .all()
        .map(({ id }) => id),

    project(projectId: string): ProjectRow {
      const row = projectById.get({ id: projectId });
      if (row === undefined) throw new Error(`no project ${projectId}`);
      return row;
    },

    /** For a person's action: applied, or refused with a reason. */
    accept: (taskId: string, event: SessionEvent, decide: (task: TaskRow, tx: Tx) => Change): TaskRow =>
      change(taskId, event, decide),

    /** For what happened to a session; undefined if it comes too late to matter. */
    report(
      taskId: string,
      sessionId: string,
      event: SessionEvent,
      decide: (task: TaskRow, tx: Tx) => Change = () => ({}),
    ): TaskRow | undefined {
      try {
        return change(taskId, event, decide, sessionId);
      } catch (error) {
        if (error instanceof Refused) return undefined;
        throw error;
      }
    },

    /** Records an operation's progress; false if another operation has replaced it. */
    advance(operation: OperationRow, step: string, { columns, detail }: Omit<Change, "step"> = {}): boolean {
      // Repeating a start leads to the same worktree; see makeWorktree.
      const write = operation.kind === "start" ? store.note : store.write;
      const [task, isCurrent] = write((tx) => {
        const known = columns && find(operation.taskId);
        const written =
          known &&
          tx
            .update(tasks)
            .set({ ...storedTask(root, { ...columns }), updatedAt: updatedAfter(known) })
            .where(eq(tasks.id, operation.taskId))
            .returning()
            .get();
        const current = tx
          .update(operations)
          .set({ step, ...(detail && { detail }) })
          .where(eq(operations.id, operation.id))
          .returning({ id: operations.id })
          .get();
        return [written, current !== undefined];
      });
      if (task !== undefined) events.publish("task", read(task));
      return isCurrent;
    },

    /** Whether the session's end was recorded. */
    hasLog: (sessionId: string): boolean =>
      db
        .select({ id: sessionLogs.id })
        .from(sessionLogs)
        .where(eq(sessionLogs.sessionId, sessionId))
        .get() !== undefined,

    log(taskId: string, logId: string): SessionLog {
      const row = db
        .select()
        .from(sessionLogs)
        .where(and(eq(sessionLogs.id, logId), eq(sessionLogs.taskId, taskId)))
        .get();
      if (row === undefined) throw notFound("session log", logId);
      return row;
    },

    logs: (taskId: string): SessionLog[] =>
      db
        .select()
        .from(sessionLogs)
        .where(eq(sessionLogs.taskId, taskId))
        .orderBy(desc(sessionLogs.endedAt))
        .all(),
  };
}

function requireAccepted(result: SessionState | Rejection): SessionState {
  if (!isRejection(result)) return result;
  const { rejected, message, busy } = result;
  throw new (busy ? Busy : Refused)(rejected, message);
}

/** A card stays in its column while its agent is running or an operation is in progress. */
export function requireMayLeave(task: TaskRow): void {
  requireAccepted(transition(stateOf(task), { type: "leave" }));
}

const stateOf = (task: TaskRow): SessionState => ({
  status: task.status,
  session: task.sessionStatus,
  operation: task.sessionOperation,
  hasWorktree: task.worktreePath !== null,
});
