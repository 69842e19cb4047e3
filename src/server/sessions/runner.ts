// Runs sessions: accepts people's actions, listens to hosts, and finishes what a crash interrupted.

import type { Actor } from "../../contract.ts";
import type { Answer } from "../agents/reading.ts";
import type { Events } from "../events/events.ts";
import type { SpareHost } from "../hosts/spare-host.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Projects } from "../projects/projects.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { createChannels } from "./observe/channels.ts";
import { createEndings } from "./observe/endings.ts";
import { createReadings } from "./observe/readings.ts";
import { createSessionWatch } from "./observe/session-watch.ts";
import { createOperations } from "./operations/operations.ts";
import type { SessionParts } from "./parts.ts";
import { recover } from "./recover.ts";
import { createUnknownSessions } from "./unknown.ts";
import { answerAgent, pressKeys, releaseAsk } from "./verbs/answer.ts";
import { completeTask } from "./verbs/complete.ts";
import { forgetWorktree } from "./verbs/forget.ts";
import type { VerbParts } from "./verbs/parts.ts";
import { putAwayDeleted, removeProject, removeTask } from "./verbs/remove.ts";
import { reopenTask } from "./verbs/reopen.ts";
import { bringBack, restoreWorktreeOf } from "./verbs/restore.ts";
import { type StartOptions, startSession } from "./verbs/start.ts";
import { stopSession } from "./verbs/stop.ts";
import { workOf } from "./verbs/work.ts";

export type Runner = ReturnType<typeof createRunner>;

interface RunnerParts extends Omit<SessionParts, "watch" | "readings" | "channels" | "endings"> {
  tasks: Pick<Tasks, "get" | "create">;
  projects: Pick<Projects, "ofRepository" | "restore" | "remove">;
  events: Events;
  queue: KeyedQueue;
  spareHost: SpareHost;
  /** There is a new reading of a task's agent. */
  read(taskId: string): void;
}

export function createRunner({ tasks, projects, events, queue, spareHost, read, ...given }: RunnerParts) {
  const { agents, rows, runDir, log, trail } = given;
  const watch = createSessionWatch({
    runDir,
    connected: (session, status) => channels.open(session, status),
    observed: (session, observation) => readings.observe(session, observation),
    caughtUp: (session) => readings.caughtUp(session),
    glimpse: (session, glimpse) => events.tell("session", { ...session, ...glimpse }),
    bell: (session) => events.tell("session", { ...session, bell: true }),
    troubled: (session, trouble) => readings.troubled(session, trouble),
    ended: (session) => void endings.ended(session),
    failed: (error) => log.error("watching a session", error),
  });
  const readings = createReadings({
    agents,
    rows,
    events,
    look: watch.look,
    read: ({ taskId }) => read(taskId),
    over: ({ taskId }, ask, hasEnded) => trail.over(taskId, ask, hasEnded),
    release: ({ sessionId }, ask) => releaseAsk(watch, sessionId, ask),
    press: ({ sessionId }, steps) => pressKeys({ ...given, watch }, sessionId, steps),
    failed: (error) => log.error("reading what an agent does", error),
  });
  const channels = createChannels({
    ...given,
    told: (session, note) => readings.observe(session, { type: "note", ...note, at: Date.now() }),
    failed: (error) => log.error("following what an agent tells beside its terminal", error),
  });
  const endings = createEndings({ ...given, watch, readings, channels });
  const sessionParts: SessionParts = { ...given, watch, readings, channels, endings };
  const operations = createOperations({ parts: sessionParts, queue, spareHost });
  const unknown = createUnknownSessions({ ...sessionParts, tasks, projects, carryOn: operations.begin });
  const parts = { ...sessionParts, tasks, projects, operations, spareHost, unknown } satisfies VerbParts;

  return {
    unknown,

    start: (taskId: string, options?: StartOptions) => startSession(parts, taskId, "start", options),
    resume: (taskId: string, options?: StartOptions) => startSession(parts, taskId, "resume", options),
    retry: (taskId: string, options?: StartOptions) => startSession(parts, taskId, "retry", options),
    stop: (taskId: string) => stopSession(parts, taskId),
    complete: (taskId: string, commit?: string) => completeTask(parts, taskId, commit),
    work: async (taskId: string) => workOf(parts, tasks.get(taskId)),
    reopen: (taskId: string) => reopenTask(parts, taskId),
    remove: (taskId: string) => removeTask(parts, taskId),
    forgetWorktree: (taskId: string) => forgetWorktree(parts, taskId),
    restore: async (taskId: string, logId: string) => restoreWorktreeOf(parts, tasks.get(taskId).id, logId),
    answer: async (taskId: string, answer: Answer, who: Actor) =>
      answerAgent(parts, tasks.get(taskId), answer, who),

    removeProject: (projectId: string) => removeProject(parts, projectId),
    bringBack: (taskId: string) => bringBack(parts, taskId),
    bringBackProject(projectId: string) {
      for (const taskId of rows.ofProject(projectId)) void bringBack(parts, taskId);
    },

    glimpse: watch.glimpse,
    gauges: readings.gauges,
    reading: readings.reading,
    box: readings.box,
    /** Hands the agent a prompt beside its terminal, where it takes one there; its commands only its terminal knows. */
    prompter: (sessionId: string, text: string) =>
      /^\s*[/!]/.test(text) ? undefined : channels.of(sessionId)?.prompt,
    host: watch.host,
    trouble: watch.trouble,

    /** Takes back running hosts, then finishes what a crash interrupted. */
    async recover(): Promise<void> {
      for (const taskId of await recover(parts)) operations.begin(taskId);
      putAwayDeleted(parts);
    },

    dispose() {
      watch.dispose();
      channels.dispose();
      readings.dispose();
    },
  };
}
