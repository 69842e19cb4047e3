import { and, asc, desc, eq, inArray, isNull } from "drizzle-orm";
import { type AgentOptions, DEFAULT_AGENT, isLive, type TaskStatus } from "../../contract.ts";
import type { Store, Tx } from "../../db/open.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import type { Agents } from "../agents/agents.ts";
import { requireOptions } from "../agents/options.ts";
import { DomainError, notFound } from "../errors.ts";
import type { Events } from "../events/events.ts";
import { newId } from "../ids.ts";
import { given, optionalText, requireLine } from "../text.ts";
import { updatedAfter } from "../updated-at.ts";
import { freePosition, topOf } from "./position.ts";

export type TaskRow = typeof tasks.$inferSelect;

interface TaskFields {
  title: string;
  description: string | null;
  pinned: boolean;
  agent: string;
  agentOptions: AgentOptions | null;
  status: TaskStatus;
  position: string;
}

export interface NewTask extends Partial<Omit<TaskFields, "title" | "position">> {
  projectId: string;
  title: string;
}

interface TaskFilter {
  projectId?: string;
  status?: TaskStatus;
  q?: string;
}

export type Tasks = ReturnType<typeof createTasks>;

interface TasksParts {
  store: Store;
  events: Events;
  agents: Pick<Agents, "require">;
  /** Throws while the task's session keeps the card in its column. */
  requireMayLeave(task: TaskRow): void;
}

export function createTasks({ store, events, agents, requireMayLeave }: TasksParts) {
  /** Writes, and tells everyone only once it is on disk. */
  function change(write: (tx: Tx) => TaskRow): TaskRow {
    const row = store.write(write);
    events.publish("task", row);
    return row;
  }

  return {
    list({ projectId, status, q }: TaskFilter): TaskRow[] {
      const rows = store.db
        .select()
        .from(tasks)
        .where(
          and(
            isOnBoard(store.db),
            projectId === undefined ? undefined : eq(tasks.projectId, projectId),
            status === undefined ? undefined : eq(tasks.status, status),
          ),
        )
        .orderBy(asc(tasks.position), asc(tasks.id))
        .all();
      return q === undefined ? rows : rows.filter(matches(q));
    },

    get: (id: string) => existing(store.db, id),

    create(input: NewTask): TaskRow {
      const agent = agents.require(input.agent ?? DEFAULT_AGENT).name;
      return change((tx) => {
        requireProject(tx, input.projectId);
        const now = new Date().toISOString();
        const status = input.status ?? "backlog";
        return tx
          .insert(tasks)
          .values({
            id: newId(),
            projectId: input.projectId,
            title: requireLine("title", input.title),
            description: optionalText("description", input.description),
            pinned: input.pinned ?? false,
            status,
            position: topOf(tx, status),
            agent,
            agentOptions: requireOptions(input.agentOptions),
            createdAt: now,
            updatedAt: now,
          })
          .returning()
          .get();
      });
    },

    update(id: string, patch: Partial<TaskFields>): TaskRow {
      if (patch.agent !== undefined) agents.require(patch.agent);
      return change((tx) => {
        const task = existing(tx, id);
        const status = patch.status ?? task.status;
        if (status !== task.status) requireMayLeave(task);
        if (patch.agent !== undefined && patch.agent !== task.agent) requireEnded(task);
        return tx
          .update(tasks)
          .set({
            pinned: patch.pinned,
            agent: patch.agent,
            status,
            title: given(patch.title, (title) => requireLine("title", title)),
            description: given(patch.description, (text) => optionalText("description", text)),
            agentOptions: given(patch.agentOptions, requireOptions),
            position: newPosition(tx, task, status, patch.position),
            completedFrom: status === task.status ? task.completedFrom : null,
            updatedAt: updatedAfter(task),
          })
          .where(eq(tasks.id, id))
          .returning()
          .get();
      });
    },

    /** Undoes a deletion, which is the session runner's: the worktree goes along. */
    restore(id: string): TaskRow {
      return change((tx) => {
        const task = tx.select().from(tasks).where(eq(tasks.id, id)).get();
        if (task === undefined) throw notFound("task", id);
        requireProject(tx, task.projectId);
        return tx
          .update(tasks)
          .set({
            deletedAt: null,
            position: freePosition(tx, task.status, task.position, id),
            updatedAt: updatedAfter(task),
          })
          .where(eq(tasks.id, id))
          .returning()
          .get();
      });
    },

    sessionLogs(id: string) {
      existing(store.db, id);
      return store.db
        .select()
        .from(sessionLogs)
        .where(eq(sessionLogs.taskId, id))
        .orderBy(desc(sessionLogs.endedAt))
        .all();
    },
  };
}

function existing(db: Pick<Tx, "select">, id: string): TaskRow {
  const row = db
    .select()
    .from(tasks)
    .where(and(eq(tasks.id, id), isOnBoard(db)))
    .get();
  if (row === undefined) throw notFound("task", id);
  return row;
}

/** Neither the task nor its project is deleted. */
function isOnBoard(db: Pick<Tx, "select">) {
  const live = db.select({ id: projects.id }).from(projects).where(isNull(projects.deletedAt));
  return and(isNull(tasks.deletedAt), inArray(tasks.projectId, live));
}

function newPosition(tx: Tx, task: TaskRow, status: TaskStatus, wanted: string | undefined): string {
  if (wanted !== undefined) return freePosition(tx, status, wanted, task.id);
  return status === task.status ? task.position : topOf(tx, status);
}

function requireProject(tx: Tx, id: string) {
  const project = tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
    .get();
  if (project === undefined) {
    throw new DomainError("not_found", `projectId: there is no project with the id ${JSON.stringify(id)}.`);
  }
}

/** Whoever runs is read and answered as the agent that the row names. */
function requireEnded({ sessionStatus }: TaskRow) {
  if (!isLive(sessionStatus)) return;
  throw new DomainError("conflict", "The task's agent is still running; stop it, then choose another.");
}

function matches(q: string): (task: TaskRow) => boolean {
  const needle = q.toLocaleLowerCase();
  return ({ title, description }) =>
    title.toLocaleLowerCase().includes(needle) || (description ?? "").toLocaleLowerCase().includes(needle);
}
