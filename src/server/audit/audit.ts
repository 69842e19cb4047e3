// Writes down, for good, who answered an agent with what in front of them, who changed what agents may do or run, and
// who signed in.
import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Actor, AuditAction } from "../../contract.ts";
import type { Store, Tx } from "../../db/open.ts";
import { auditEntries } from "../../db/schema.ts";
import { type Configured, optionsByAgent } from "../agents/options.ts";
import type { Events } from "../events/events.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;

export interface NewEntry {
  who: Actor;
  action: AuditAction;
  taskId?: string | null | undefined;
  projectId?: string | null | undefined;
  detail: Record<string, unknown>;
}

interface Filter {
  /** ISO 8601. */
  since?: string;
  task?: string;
  project?: string;
  action?: AuditAction;
  /** The id of an entry: only what came before it. */
  before?: number;
  /** The same: only what came after it. */
  after?: number;
  /** At most so many. */
  limit?: number;
}

/** What a task or project says about its agents. */
interface Settings extends Configured {
  setupCommand?: string | null;
}

/** At most so many at once. */
export const LISTED = 500;

const ASK_OF = sql<string | null>`json_extract(${auditEntries.detail}, '$.ask.id')`;
const ENTRY_OF = sql<number | null>`json_extract(${auditEntries.detail}, '$.entry')`;

export type Audit = ReturnType<typeof createAudit>;

export function createAudit({ store, events }: { store: Store; events: Events }) {
  const find = (id: number) => store.db.select().from(auditEntries).where(eq(auditEntries.id, id)).get();

  /** Part of the transaction that makes the change. Published once that is on disk. */
  function add(tx: Tx, { taskId = null, projectId = null, ...entry }: NewEntry): AuditEntry {
    const at = new Date().toISOString();
    const written = tx
      .insert(auditEntries)
      .values({ ...entry, taskId, projectId, at })
      .returning()
      .get();
    queueMicrotask(() => {
      const isThere = find(written.id)?.at === at; // the transaction may have failed later on
      if (isThere) events.publish("audit", written);
    });
    return written;
  }

  return {
    add: (entry: NewEntry): AuditEntry => store.write((tx) => add(tx, entry)),

    /** Writes down each of the settings that is another one now. */
    changed(
      tx: Tx,
      of: { who: Actor; taskId?: string; projectId: string },
      before: Settings | undefined,
      after: Settings,
    ): void {
      const compare = (action: AuditAction, old: unknown, now: unknown, more: object = {}) => {
        if (JSON.stringify(old ?? null) === JSON.stringify(now ?? null)) return;
        add(tx, { ...of, action, detail: { before: old ?? null, after: now ?? null, ...more } });
      };
      const [old, now] = [before === undefined ? {} : optionsByAgent(before), optionsByAgent(after)];
      for (const agent of new Set([...Object.keys(old), ...Object.keys(now)]))
        compare("agent_options", old[agent], now[agent], { agent });
      compare("setup_command", before?.setupCommand, after.setupCommand);
      if (before !== undefined) compare("agent", before.agent, after.agent);
    },

    /** Newest first. Of a task and a project: what is about that task, or the project as a whole. */
    list({ since, task, project, action, before, after, limit = LISTED }: Filter): AuditEntry[] {
      const ofTask = task === undefined ? undefined : eq(auditEntries.taskId, task);
      const asWhole = task === undefined ? undefined : isNull(auditEntries.taskId);
      const ofProject = project === undefined ? undefined : and(eq(auditEntries.projectId, project), asWhole);
      return store.db
        .select()
        .from(auditEntries)
        .where(
          and(
            or(ofTask, ofProject),
            since === undefined ? undefined : gt(auditEntries.at, since),
            action === undefined ? undefined : eq(auditEntries.action, action),
            before === undefined ? undefined : lt(auditEntries.id, before),
            after === undefined ? undefined : gt(auditEntries.id, after),
          ),
        )
        .orderBy(desc(auditEntries.id))
        .limit(limit)
        .all();
    },

    /** Whether what a task's agent asked has been answered through banto in time, or its end has been written down. */
    isSettled(task: string, ask: string): boolean {
      const about = store.db
        .select({ id: auditEntries.id, action: auditEntries.action, of: ENTRY_OF })
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.taskId, task),
            inArray(auditEntries.action, ["answer", "answer_too_late", "ask_over"]),
            or(eq(ASK_OF, ask), eq(auditEntries.action, "answer_too_late")),
          ),
        )
        .all();
      const isLate = (id: number) =>
        about.some(({ action, of }) => action === "answer_too_late" && of === id);
      return about.some(({ action, id }) => action === "ask_over" || (action === "answer" && !isLate(id)));
    },

    /** The last of its kind. */
    last: (action: AuditAction): AuditEntry | undefined =>
      store.db
        .select()
        .from(auditEntries)
        .where(eq(auditEntries.action, action))
        .orderBy(desc(auditEntries.id))
        .limit(1)
        .get(),
  };
}
