// What agents have cost, per task and per day: from the logs of ended sessions, and from running ones.
import { and, eq, gte, isNotNull } from "drizzle-orm";
import { isLive, LIMITS } from "../../contract.ts";
import type { Store } from "../../db/open.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import { DomainError, notFound } from "../errors.ts";

interface UsageDay {
  /** UTC, as 2026-01-31. */
  date: string;
  costUsd: number;
  /** The same by task, the most expensive first. */
  tasks: { taskId: string; costUsd: number }[];
}

interface UsageTask {
  taskId: string;
  projectId: string;
  title: string;
  costUsd: number;
  sessions: number;
}

export interface UsageReport {
  totalUsd: number;
  /** Every day asked for, oldest first, today last. A session counts on the day it ended. */
  days: UsageDay[];
  /** The most expensive first. */
  tasks: UsageTask[];
}

interface Spent {
  taskId: string;
  projectId: string;
  title: string;
  date: string;
  costUsd: number;
}

interface UsageParts {
  store: Store;
  /** What a running session has cost so far. */
  costOf(sessionId: string): number | null;
}

const DAYS = 30;
const DAY_MS = 86_400_000;

export type Usage = ReturnType<typeof createUsage>;

export function createUsage({ store, costOf }: UsageParts) {
  const named = { taskId: tasks.id, projectId: tasks.projectId, title: tasks.title };

  function ended(first: string, projectId: string | undefined): Spent[] {
    return store.db
      .select({ ...named, date: sessionLogs.endedAt, costUsd: sessionLogs.costUsd })
      .from(sessionLogs)
      .innerJoin(tasks, eq(tasks.id, sessionLogs.taskId))
      .where(
        and(
          isNotNull(sessionLogs.costUsd),
          gte(sessionLogs.endedAt, first),
          projectId === undefined ? undefined : eq(tasks.projectId, projectId),
        ),
      )
      .all()
      .map(({ date, costUsd, ...task }) => ({ ...task, date: date.slice(0, 10), costUsd: costUsd ?? 0 }));
  }

  function running(date: string, projectId: string | undefined): Spent[] {
    return store.db
      .select({ ...named, sessionId: tasks.sessionId, sessionStatus: tasks.sessionStatus })
      .from(tasks)
      .where(
        and(
          isNotNull(tasks.sessionStatus),
          projectId === undefined ? undefined : eq(tasks.projectId, projectId),
        ),
      )
      .all()
      .flatMap(({ sessionId, sessionStatus, ...task }) => {
        const costUsd = isLive(sessionStatus) && sessionId !== null ? costOf(sessionId) : null;
        return costUsd === null ? [] : [{ ...task, date, costUsd }];
      });
  }

  return {
    report({ days: wanted, projectId }: { days?: string; projectId?: string }): UsageReport {
      const days = requireDays(wanted);
      const now = Date.now();
      if (projectId !== undefined) requireProject(store, projectId);
      const dates = Array.from({ length: days }, (_, i) => isoDate(now - (days - 1 - i) * DAY_MS));
      const [first = ""] = dates;
      const spent = [...ended(first, projectId), ...running(isoDate(now), projectId)];
      return {
        totalUsd: sum(spent),
        days: dates.map((date) => {
          const own = spent.filter((one) => one.date === date);
          return {
            date,
            costUsd: sum(own),
            tasks: byTask(own).map(({ taskId, costUsd }) => ({ taskId, costUsd })),
          };
        }),
        tasks: byTask(spent),
      };
    },
  };
}

function requireDays(days = String(DAYS)): number {
  const number = /^\d+$/.test(days) ? Number(days) : 0;
  if (number >= 1 && number <= LIMITS.usageDays) return number;
  throw new DomainError("invalid", `days: must be a whole number from 1 to ${LIMITS.usageDays}.`);
}

const isoDate = (at: number) => new Date(at).toISOString().slice(0, 10);

const sum = (spent: { costUsd: number }[]) => spent.reduce((total, { costUsd }) => total + costUsd, 0);

function byTask(spent: Spent[]): UsageTask[] {
  const groups = Map.groupBy(spent, ({ taskId }) => taskId).values();
  return [...groups]
    .map((own) => {
      const { taskId, projectId, title } = own[0] as Spent;
      return { taskId, projectId, title, costUsd: sum(own), sessions: own.length };
    })
    .toSorted((a, b) => b.costUsd - a.costUsd);
}

function requireProject(store: Store, id: string) {
  if (store.db.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).get() === undefined) {
    throw notFound("project", id);
  }
}
