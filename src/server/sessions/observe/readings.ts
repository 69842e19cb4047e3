// What every live agent is doing: its reader is given what its host tells, and what is new in the reading is written
// down.

import type { AgentActivity, Ask, Gauges } from "../../../contract.ts";
import type { Agents } from "../../agents/agents.ts";
import type { Answer, Observation, Reader, ReaderStart, Reading } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { Events } from "../../events/events.ts";
import type { TaskRow } from "../../tasks/tasks.ts";
import type { SessionRows } from "../store.ts";
import type { SessionIds } from "./session-watch.ts";

interface Followed {
  session: SessionIds;
  reader: Reader;
  /** The program has written something, and the first look at it is done. */
  hasOutput: boolean;
  /** Everything its host knew has been observed. */
  isCaughtUp: boolean;
  /** Nothing more is written of it. */
  isStopped: boolean;
  gauges: string;
  timer: Timer | undefined;
}

interface ReadingsParts {
  agents: Pick<Agents, "createReader">;
  rows: Pick<SessionRows, "find" | "report">;
  events: Events;
  /** Looks at the session's screen, which is observed then. */
  look(sessionId: string): void;
  /** The host need not hold this question open any longer. */
  release(session: SessionIds, ask: string): void;
  failed(error: unknown): void;
}

/** Something stood in the way, such as a full disk or a host that is busy. */
const TRY_AGAIN_MS = 5_000;

export type Readings = ReturnType<typeof createReadings>;

export function createReadings({ agents, rows, events, look, release, failed }: ReadingsParts) {
  const all = new Map<string, Followed>();

  function begin(session: SessionIds, agent: string, start: ReaderStart): Followed {
    const followed: Followed = {
      session,
      reader: agents.createReader(agent, start),
      ...{ hasOutput: false, isCaughtUp: false, isStopped: false, gauges: "null", timer: undefined },
    };
    all.set(session.sessionId, followed);
    return followed;
  }

  /** One that an earlier server had started is followed from where it stands. */
  function follow(session: SessionIds): Followed {
    const { sessionId, taskId } = session;
    const known = all.get(sessionId);
    if (known !== undefined) return known;
    return begin(session, rows.find(taskId)?.agent ?? "", { prompted: false, note: null, at: Date.now() });
  }

  function evaluate(followed: Followed) {
    const { session, reader, isCaughtUp, isStopped, hasOutput } = followed;
    if (!isCaughtUp || isStopped || !hasOutput) return;
    const now = Date.now();
    const reading = reader.read(now);
    for (const ask of reading.release) {
      reader.observe({ type: "over", ask, how: "released", at: now });
      release(session, ask);
    }
    write(followed, reading);
    clearTimeout(followed.timer);
    if (reading.again !== null) lookIn(followed, Math.max(reading.again - now, 0) + 1);
  }

  /** Looks at the screen later, and again should that lead to no reading. */
  function lookIn(followed: Followed, ms: number) {
    clearTimeout(followed.timer);
    followed.timer = setTimeout(() => {
      lookIn(followed, TRY_AGAIN_MS);
      look(followed.session.sessionId);
    }, ms);
    followed.timer.unref();
  }

  function write({ session: { taskId, sessionId }, reader }: Followed, reading: Reading) {
    const task = rows.find(taskId);
    // An agent that is being stopped would only be called idle.
    if (task?.sessionId !== sessionId || task.sessionOperation === "stop") return;
    const columns = newColumns(task, reading, reader);
    const status = reading.kind === "working" ? "running" : "waiting_for_input";
    if (columns === undefined && task.sessionStatus === status) return;
    const moves = status === "running" ? ("output" as const) : ("asks" as const);
    const type = task.sessionStatus === status ? ("noted" as const) : moves;
    rows.report(taskId, sessionId, { type }, () => ({ columns: columns ?? {} }));
  }

  function tellGauges(followed: Followed) {
    const gauges = followed.reader.gauges();
    const text = JSON.stringify(gauges);
    if (text === followed.gauges) return;
    followed.gauges = text;
    events.tell("session", { ...followed.session, gauges });
  }

  /** What could not be written is tried again, even if nothing more is observed. */
  function guarded(followed: Followed, work: () => void) {
    try {
      work();
    } catch (error) {
      failed(error);
      if (!followed.isStopped) lookIn(followed, TRY_AGAIN_MS);
    }
  }

  return {
    begin: (session: SessionIds, agent: string, start: ReaderStart) => void begin(session, agent, start),

    observe(session: SessionIds, observation: Observation) {
      const followed = follow(session);
      guarded(followed, () => {
        if (observation.type === "output") followed.hasOutput = true;
        followed.reader.observe(observation);
        if (observation.type === "signal") tellGauges(followed);
        evaluate(followed);
      });
    },

    caughtUp(session: SessionIds) {
      const followed = follow(session);
      followed.isCaughtUp = true;
      guarded(followed, () => evaluate(followed));
    },

    /** It has ended: how, others write down. */
    stop(sessionId: string) {
      const followed = all.get(sessionId);
      if (followed === undefined) return;
      followed.isStopped = true;
      clearTimeout(followed.timer);
    },

    answer(sessionId: string, answer: Answer): string {
      const followed = all.get(sessionId);
      if (followed === undefined) throw new DomainError("conflict", "The agent can't be reached right now.");
      return followed.reader.answer(answer);
    },

    gauges: (sessionId: string): Gauges | undefined => all.get(sessionId)?.reader.gauges() ?? undefined,

    reply: (sessionId: string) => all.get(sessionId)?.reader.reply() ?? null,

    forget(sessionId: string) {
      clearTimeout(all.get(sessionId)?.timer);
      all.delete(sessionId);
    },

    dispose() {
      for (const { timer } of all.values()) clearTimeout(timer);
      all.clear();
    },
  };
}

type Columns = Partial<Pick<TaskRow, "activity" | "asks" | "lastReply" | "agentSessionId">>;

/** What is to be written, if there is anything new. */
function newColumns(task: TaskRow, reading: Reading, reader: Reader): Columns | undefined {
  const columns: Columns = {};
  if (!isSameActivity(task.activity, reading) || !isSameAsk(task.asks, reading.asks)) {
    const { kind, reason, until, since, asks } = reading;
    columns.activity = { kind, reason, until, since: new Date(since).toISOString() };
    columns.asks = asks;
  }
  const reply = reader.reply();
  if (reply !== null && reply !== task.lastReply) columns.lastReply = reply;
  const conversation = reader.conversation();
  if (conversation !== null && conversation !== task.agentSessionId) columns.agentSessionId = conversation;
  return Object.keys(columns).length === 0 ? undefined : columns;
}

const isSameActivity = (before: AgentActivity | null, { kind, reason, until }: Reading) =>
  before?.kind === kind && before.reason === reason && before.until === until;

const isSameAsk = (before: Ask | null, now: Ask | null) =>
  before?.id === now?.id && before?.summary === now?.summary;
