import { and, asc, desc, eq, gt, inArray, isNull } from "drizzle-orm";
import {
  type Actor,
  type AgentOptions,
  DEFAULT_AGENT,
  isLive,
  type TaskStatus,
  TRASH_DAYS,
} from "../../contract.ts";
import type { Store, Tx } from "../../db/open.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import type { Agents } from "../agents/agents.ts";
import { reconfigured, requireOptions } from "../agents/options.ts";
import type { Audit } from "../audit/audit.ts";
import { DomainError, notFound } from "../errors.ts";
import type { Events } from "../events/events.ts";
import { newId } from "../ids.ts";
import { given, optionalText, requireLine } from "../text.ts";
import { updatedAfter } from "../updated-at.ts";
import { freePosition, topOf } from "./position.ts";
import { readTask, type StoredTask, type TaskRow } from "./task-row.ts";

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
  audit: Pick<Audit, "changed">;
  /** Throws while the task's session keeps the card in its column. */
  requireMayLeave(task: TaskRow): void;
}

export function createTasks({ store, events, agents, audit, requireMayLeave }: TasksParts) {
  const read = readTask(store.root);

  /** Publishes the change only once it is on disk. */
  function change(write: (tx: Tx) => StoredTask): TaskRow {
    const row = read(store.write(write));
    events.publish("task", row);
    return row;
  }

  const checked = (agent: string, options: AgentOptions | null | undefined) =>
    options == null ? null : requireOptions(agents.require(agent), options);

  /** Its agent, with the options that this one had before, unless there are others now. */
  function configuration(task: StoredTask, { agent = task.agent, agentOptions }: Partial<TaskFields>) {
    const options = given(agentOptions, (chosen) => checked(agent, chosen));
    return {
      ...reconfigured(task, { agent, ...(options !== undefined && { agentOptions: options }) }),
      agent,
    };
  }

  return {
    /** Deleted tasks that can still be restored, newest first. */
    deleted(now = Date.now()): TaskRow[] {
      const after = new Date(now - TRASH_DAYS * DAY_MS).toISOString();
      return store.db
        .select()
        .from(tasks)
        .where(and(gt(tasks.deletedAt, after), inArray(tasks.projectId, liveProjects(store.db))))
        .orderBy(desc(tasks.deletedAt))
        .all()
        .map(read);
    },

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
        .all()
        .map(read);
      return q === undefined ? rows : rows.filter(matches(q));
    },

    get: (id: string) => read(existing(store.db, id)),

    create(input: NewTask, { who, id = newId() }: { who?: Actor; id?: string } = {}): TaskRow {
      if (input.agent !== undefined) agents.require(input.agent);
      const agent = input.agent ?? requireProject(store.db, input.projectId).agent ?? DEFAULT_AGENT;
      const agentOptions = checked(agent, input.agentOptions);
      return change((tx) => {
        requireProject(tx, input.projectId);
        const now = new Date().toISOString();
        const status = input.status ?? "backlog";
        const task = tx
          .insert(tasks)
          .values({
            id,
            projectId: input.projectId,
            title: requireLine("title", input.title),
            description: optionalText("description", input.description),
            pinned: input.pinned ?? false,
            status,
            position: topOf(tx, status),
            agent,
            agentOptions,
            createdAt: now,
            updatedAt: now,
          })
          .returning()
          .get();
        if (who !== undefined)
          audit.changed(tx, { who, taskId: id, projectId: task.projectId }, undefined, task);
        return task;
      });
    },

    update(id: string, patch: Partial<TaskFields>, who: Actor): TaskRow {
      if (patch.agent !== undefined) agents.require(patch.agent);
      const configured = configuration(existing(store.db, id), patch);
      return change((tx) => {
        const task = existing(tx, id);
        const status = patch.status ?? task.status;
        if (status !== task.status) requireMayLeave(read(task));
        if (patch.agent !== undefined && patch.agent !== task.agent) requireEnded(task);
        const changed = tx
          .update(tasks)
          .set({
            pinned: patch.pinned,
            ...configured,
            status,
            title: given(patch.title, (title) => requireLine("title", title)),
            description: given(patch.description, (text) => optionalText("description", text)),
            position: newPosition(tx, task, status, patch.position),
            completedFrom: status === task.status ? task.completedFrom : null,
            updatedAt: updatedAfter(task),
          })
          .where(eq(tasks.id, id))
          .returning()
          .get();
        audit.changed(tx, { who, taskId: id, projectId: task.projectId }, task, changed);
        return changed;
      });
    },

    /** Undoes a deletion. Deleting is the session runner's job, because the worktree has to be archived too. */
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

function existing(db: Pick<Tx, "select">, id: string): StoredTask {
  const row = db
    .select()
    .from(tasks)
    .where(and(eq(tasks.id, id), isOnBoard(db)))
    .get();
  if (row === undefined) throw notFound("task", id);
  return row;
}

/** Neither the task nor its project is deleted. */
const isOnBoard = (db: Pick<Tx, "select">) =>
  and(isNull(tasks.deletedAt), inArray(tasks.projectId, liveProjects(db)));

const liveProjects = (db: Pick<Tx, "select">) =>
  db.select({ id: projects.id }).from(projects).where(isNull(projects.deletedAt));

const DAY_MS = 86_400_000;

function newPosition(tx: Tx, task: StoredTask, status: TaskStatus, wanted: string | undefined): string {
  if (wanted !== undefined) return freePosition(tx, status, wanted, task.id);
  return status === task.status ? task.position : topOf(tx, status);
}

function requireProject(tx: Pick<Tx, "select">, id: string) {
  const project = tx
    .select({ agent: projects.agent })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
    .get();
  if (project !== undefined) return project;
  throw new DomainError("not_found", `projectId: there is no project with the id ${JSON.stringify(id)}.`);
}

/** A running agent is read and answered as the one its row names, so that must not change. */
function requireEnded({ sessionStatus }: StoredTask) {
  if (!isLive(sessionStatus)) return;
  throw new DomainError("conflict", "The task's agent is still running; stop it, then choose another.");
}

function matches(q: string): (task: TaskRow) => boolean {
  const needle = q.toLocaleLowerCase();
  return ({ title, description }) =>
    title.toLocaleLowerCase().includes(needle) || (description ?? "").toLocaleLowerCase().includes(needle);
}
