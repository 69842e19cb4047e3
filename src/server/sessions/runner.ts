// Drives sessions: accepts what people ask for, runs the steps, listens to hosts, and takes up after
// a crash whatever was left unfinished.

import { randomUUID } from "node:crypto";
import type { Operation } from "../../contract.ts";
import type { Answer } from "../agents/reading.ts";
import { notFound } from "../errors.ts";
import type { Events } from "../events/events.ts";
import type { SpareHost } from "../hosts/spare-host.ts";
import { newId } from "../ids.ts";
import type { Lanes } from "../keyed-queue.ts";
import { topOf } from "../tasks/position.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { createEndings } from "./observe/endings.ts";
import { createReadings } from "./observe/readings.ts";
import { createWatch } from "./observe/watch.ts";
import { type ArchiveDetail, runArchive } from "./operations/archive.ts";
import {
  lastPutAway,
  planRestore,
  type Restored,
  requireRestorable,
  runRestore,
  stillThere,
} from "./operations/restore.ts";
import { runStart, type StartDetail } from "./operations/start.ts";
import { runStop } from "./operations/stop.ts";
import type { Ahead, RunOperation, SessionParts } from "./parts.ts";
import { recover } from "./recover.ts";
import { type ArchiveReason, isRejection, type SessionEvent, transition } from "./state.ts";
import { Busy, type Change, stateOf } from "./store.ts";
import { answerAgent, letGo } from "./verbs/answer.ts";
import { requireRoom, requireStartable } from "./verbs/preconditions.ts";

const TRY_AGAIN_MS = 5_000;

export type Runner = ReturnType<typeof createRunner>;

interface RunnerParts extends Omit<SessionParts, "watch" | "readings"> {
  events: Events;
  lanes: Lanes;
  spareHost: SpareHost;
}

export function createRunner({ events, lanes, spareHost, ...given }: RunnerParts) {
  const { rows, config, log } = given;
  const watch = createWatch({
    news: (session, news) => readings.hear(session, news),
    opened: (session) => readings.opened(session),
    glimpse: (session, glimpse) => events.tell("session", { ...session, ...glimpse }),
    bell: (session) => events.tell("session", { ...session, bell: true }),
    exit: (session) => endings.heard(session),
    lost: (session) => endings.missed(session),
    failed: (error) => log.error("hearing of a session", error),
  });
  const readings = createReadings({
    agents: given.agents,
    rows,
    events,
    look: watch.look,
    release: ({ sessionId }, ask) => letGo(watch, sessionId, ask),
    failed: (error) => log.error("reading what an agent does", error),
  });
  const parts: SessionParts = { ...given, watch, readings };
  const endings = createEndings(parts);

  const RUN: Record<Operation, RunOperation> = {
    start: runStart(endings),
    stop: runStop(endings),
    archive: runArchive(endings),
    restore: runRestore,
  };

  /** Runs a task's operation once those before it are over, and whatever it leads to. */
  function run(taskId: string, ahead: Ahead | undefined): Promise<void> {
    return lanes.enter(taskId, async () => {
      try {
        for (;;) {
          const operation = rows.operation(taskId);
          if (operation === undefined) return;
          await RUN[operation.kind](parts, operation, ahead ?? {});
          if (rows.operation(taskId)?.id === operation.id) return; // the next start takes it up
        }
      } finally {
        ahead?.host?.dismiss(); // when something else came first
        if (ahead !== undefined) spareHost.order();
      }
    });
  }

  /**
   * What fails in an expected way ends its operation. Where even that could not be written down, the
   * disk is full or gone, and it is tried again until somebody has seen to it.
   */
  async function carryOut(taskId: string, ahead?: Ahead): Promise<void> {
    try {
      await run(taskId, ahead);
    } catch (error) {
      if (rows.operation(taskId) !== undefined) setTimeout(() => inBackground(taskId), TRY_AGAIN_MS).unref();
      throw error;
    }
  }

  const inBackground = (taskId: string, ahead?: Ahead) => {
    carryOut(taskId, ahead).catch((error) => log.error(`task ${taskId}`, error));
  };

  /** Waits for the operation under way instead of refusing. */
  async function patiently<T>(taskId: string, attempt: () => T): Promise<T> {
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        // An operation that nobody works on waits for a disk to be put right; that may take long.
        if (!(error instanceof Busy) || !lanes.isBusy(taskId)) throw error;
        await lanes.idle(taskId);
      }
    }
  }

  function existing(taskId: string): TaskRow {
    const task = rows.find(taskId);
    if (task === undefined || task.deletedAt !== null || rows.project(task.projectId).deletedAt !== null) {
      throw notFound("task", taskId);
    }
    return task;
  }

  /** Refuses before anything is looked up that takes time. */
  function requirePossible(task: TaskRow, event: SessionEvent) {
    if (isRejection(transition(stateOf(task), event))) rows.accept(task.id, event, () => ({}));
  }

  async function begin(taskId: string, type: "start" | "resume" | "retry"): Promise<TaskRow> {
    const task = existing(taskId);
    requirePossible(task, { type });
    const survey = await requireStartable(parts, task, type);
    existing(taskId); // it may have been deleted meanwhile
    if (type === "retry") return promise(taskId, type, newId(), {});
    const host = spareHost.take();
    let promised: TaskRow;
    try {
      promised = promise(taskId, type, host?.sessionId ?? newId(), { host, survey });
    } catch (error) {
      if (host !== undefined) spareHost.giveBack(host);
      throw error;
    }
    await rows.settled();
    return promised;
  }

  /** From here on there will be a session of that id, whatever happens to this process; see rows.settled. */
  function promise(taskId: string, type: "start" | "resume" | "retry", sessionId: string, ahead: Ahead) {
    const { task } = rows.accept(taskId, { type }, (row, tx): Change => {
      requireRoom(tx, config.maxSessions, row.id);
      const conversation = type === "resume" ? row.agentSessionId : null;
      const next = { sessionId, agentSessionId: conversation ?? randomUUID() };
      if (type === "retry" && (row.sessionStatus !== null || row.worktreePath !== null)) {
        return {
          columns: { sessionError: null, lastReply: null },
          detail: { ...archiveDetail("retry"), next },
        };
      }
      return {
        columns: {
          ...next,
          sessionError: null,
          sessionStartedAt: new Date().toISOString(),
          ...(type !== "resume" && { lastReply: null }),
        },
        detail: { resume: type === "resume", before: row.sessionId } satisfies StartDetail,
      };
    });
    given.checkpoint(`${type}:accepted`);
    inBackground(taskId, ahead);
    return task;
  }

  const archiveDetail = (then: ArchiveReason): ArchiveDetail => ({ then, trash: newId() });

  async function restoreLog(task: TaskRow, logId: string): Promise<Restored> {
    let there: Restored | undefined;
    await patiently(task.id, () => {
      const row = rows.find(task.id) ?? task;
      const session = rows.log(task.id, logId);
      there = stillThere(parts, row, session);
      if (there !== undefined) return;
      requireRestorable(session);
      rows.accept(task.id, { type: "restore" }, (current) => ({
        detail: { ...planRestore(parts, current, session) },
      }));
    });
    if (there !== undefined) return there;
    given.checkpoint("restore:accepted");
    await carryOut(task.id);
    const restored = stillThere(parts, rows.find(task.id) ?? task, rows.log(task.id, logId));
    if (restored === undefined) throw new Error(`task ${task.id}: session ${logId} was restored to nowhere`);
    return restored;
  }

  /** Puts a hidden task's worktree away; nothing is waited for, and a crash changes nothing about it. */
  function putAway(taskId: string, columns: Change["columns"] = {}): TaskRow {
    const { task } = rows.accept(taskId, { type: "remove" }, () => ({
      columns,
      detail: { ...archiveDetail("delete") },
    }));
    given.checkpoint("remove:accepted");
    inBackground(taskId);
    return task;
  }

  function putAwayHidden() {
    for (const taskId of rows.hiddenWithWorktree()) {
      patiently(taskId, () => putAway(taskId)).catch((error) => log.error(`putting ${taskId} away`, error));
    }
  }

  /** Brings back the worktree that went away with its task; where that fails, the task's history still has it. */
  async function bringBack(taskId: string): Promise<void> {
    await lanes.idle(taskId);
    const task = rows.find(taskId);
    const last = lastPutAway(rows.logs(taskId));
    if (!task || last?.archivedFor !== "delete" || task.worktreePath !== null) return;
    try {
      await restoreLog(task, last.id);
    } catch (error) {
      log.error(`bringing back the worktree of ${taskId}`, error);
    }
  }

  return {
    start: (taskId: string) => begin(taskId, "start"),
    resume: (taskId: string) => begin(taskId, "resume"),
    retry: (taskId: string) => begin(taskId, "retry"),

    async stop(taskId: string): Promise<TaskRow> {
      const { task } = await patiently(taskId, () =>
        rows.accept(existing(taskId).id, { type: "stop" }, () => ({})),
      );
      given.checkpoint("stop:accepted");
      inBackground(taskId);
      return task;
    },

    async complete(taskId: string): Promise<TaskRow> {
      await patiently(taskId, () =>
        rows.accept(existing(taskId).id, { type: "complete" }, (row, tx) => {
          const hasNothing = row.sessionStatus === null && row.worktreePath === null;
          const moves = hasNothing && row.status !== "done";
          return {
            ...(moves && { columns: { position: topOf(tx, "done") } }),
            detail: { ...archiveDetail("complete") },
          };
        }),
      );
      given.checkpoint("complete:accepted");
      await carryOut(taskId);
      return existing(taskId);
    },

    /** Hides the task; its worktree goes to the trash. */
    remove(taskId: string): Promise<TaskRow> {
      const deletedAt = new Date().toISOString();
      return patiently(taskId, () => putAway(existing(taskId).id, { deletedAt }));
    },

    putAwayHidden,

    bringBack,

    bringBackProject(projectId: string) {
      for (const taskId of rows.ofProject(projectId)) void bringBack(taskId);
    },

    async restore(taskId: string, logId: string): Promise<Restored> {
      return restoreLog(existing(taskId), logId);
    },

    glimpse: watch.glimpse,

    gauges: readings.gauges,

    answer: async (taskId: string, answer: Answer) => answerAgent(parts, existing(taskId), answer),

    client: watch.client,

    /** Takes running hosts back, then finishes what a crash interrupted. */
    async recover(): Promise<void> {
      const unfinished = await recover(parts, endings);
      for (const taskId of unfinished) inBackground(taskId);
      putAwayHidden();
    },

    dispose() {
      watch.dispose();
      readings.dispose();
    },
  };
}
