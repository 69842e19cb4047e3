// Drives sessions: takes what people ask for, hears from hosts, and finishes what a crash interrupted.

import type { Answer } from "../agents/reading.ts";
import type { Events } from "../events/events.ts";
import type { SpareHost } from "../hosts/spare-host.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { createEndings } from "./observe/endings.ts";
import { createReadings } from "./observe/readings.ts";
import { createSessionWatch } from "./observe/session-watch.ts";
import { createOperations } from "./operations/operations.ts";
import type { SessionParts } from "./parts.ts";
import { recover } from "./recover.ts";
import { answerAgent, releaseAsk } from "./verbs/answer.ts";
import { completeTask } from "./verbs/complete.ts";
import type { VerbParts } from "./verbs/parts.ts";
import { putAwayDeleted, removeTask } from "./verbs/remove.ts";
import { reopenTask } from "./verbs/reopen.ts";
import { bringBack, restoreWorktreeOf } from "./verbs/restore.ts";
import { startSession } from "./verbs/start.ts";
import { stopSession } from "./verbs/stop.ts";

export type Runner = ReturnType<typeof createRunner>;

interface RunnerParts extends Omit<SessionParts, "watch" | "readings" | "endings"> {
  tasks: Pick<Tasks, "get">;
  events: Events;
  queue: KeyedQueue;
  spareHost: SpareHost;
}

export function createRunner({ tasks, events, queue, spareHost, ...given }: RunnerParts) {
  const { agents, rows, runDir, log } = given;
  const watch = createSessionWatch({
    runDir,
    observed: (session, observation) => readings.observe(session, observation),
    caughtUp: (session) => readings.caughtUp(session),
    glimpse: (session, glimpse) => events.tell("session", { ...session, ...glimpse }),
    bell: (session) => events.tell("session", { ...session, bell: true }),
    ended: (session) => void endings.ended(session),
    failed: (error) => log.error("watching a session", error),
  });
  const readings = createReadings({
    agents,
    rows,
    events,
    look: watch.look,
    release: ({ sessionId }, ask) => releaseAsk(watch, sessionId, ask),
    failed: (error) => log.error("reading what an agent does", error),
  });
  const endings = createEndings({ ...given, watch, readings });
  const sessionParts: SessionParts = { ...given, watch, readings, endings };
  const operations = createOperations({ parts: sessionParts, queue, spareHost });
  const parts: VerbParts = { ...sessionParts, tasks, operations, spareHost };

  return {
    start: (taskId: string, activate?: boolean) => startSession(parts, taskId, "start", activate),
    resume: (taskId: string, activate?: boolean) => startSession(parts, taskId, "resume", activate),
    retry: (taskId: string, activate?: boolean) => startSession(parts, taskId, "retry", activate),
    stop: (taskId: string) => stopSession(parts, taskId),
    complete: (taskId: string) => completeTask(parts, taskId),
    reopen: (taskId: string) => reopenTask(parts, taskId),
    remove: (taskId: string) => removeTask(parts, taskId),
    restore: async (taskId: string, logId: string) => restoreWorktreeOf(parts, tasks.get(taskId).id, logId),
    answer: async (taskId: string, answer: Answer) => answerAgent(parts, tasks.get(taskId), answer),

    putAwayDeleted: () => putAwayDeleted(parts),
    bringBack: (taskId: string) => bringBack(parts, taskId),
    bringBackProject(projectId: string) {
      for (const taskId of rows.ofProject(projectId)) void bringBack(parts, taskId);
    },

    glimpse: watch.glimpse,
    gauges: readings.gauges,
    host: watch.host,

    /** Takes running hosts back, then finishes what a crash interrupted. */
    async recover(): Promise<void> {
      for (const taskId of await recover(parts)) operations.begin(taskId);
      putAwayDeleted(parts);
    },

    dispose() {
      watch.dispose();
      readings.dispose();
    },
  };
}
