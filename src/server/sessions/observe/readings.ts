// What every live agent is doing: passes what hosts report to the agents' readers, and records what is new.

import type { AgentActivity, Ask, Gauges, Operation, Permissions } from "../../../contract.ts";
import type { Agents } from "../../agents/agents.ts";
import type {
  Answer,
  Delivery,
  KeyStep,
  Observation,
  PromptBox,
  Reader,
  ReaderStart,
  Reading,
} from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { Events } from "../../events/events.ts";
import type { Screen } from "../../hosts/connection.ts";
import { type HostTrouble, troubleInWords } from "../../hosts/host-trouble.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { SessionRows } from "../store.ts";
import type { SessionIds } from "./session-watch.ts";

interface Followed {
  session: SessionIds;
  reader: Reader;
  /** The program has written something. */
  hasOutput: boolean;
  /** Everything that the host knew before has been observed. */
  isCaughtUp: boolean;
  /** Why its host can't be used. While it is set, nothing else is recorded. */
  trouble: Reading | undefined;
  /** Nothing more is recorded. */
  isStopped: boolean;
  /** What its reader wants pressed has been. */
  hasPressed: boolean;
  gauges: string;
  timer: Timer | undefined;
  /** The last one, written or not. */
  reading: Reading | undefined;
  /** What it asked when it was last read; undefined before that. */
  asked: Ask | null | undefined;
}

interface ReadingsParts {
  agents: Pick<Agents, "createReader">;
  rows: Pick<SessionRows, "find" | "report">;
  events: Events;
  /** Looks at the session's screen, which leads to an observation. */
  look(sessionId: string): void;
  /** There is a new reading, written or not. */
  read(session: SessionIds): void;
  /** It no longer asks this. */
  over(session: SessionIds, ask: Ask, hasEnded: boolean): void;
  /** Tells the host that it no longer has to hold this ask open. */
  release(session: SessionIds, ask: string): void;
  /** Presses keys in its terminal, if its screen shows what they are for. */
  press(session: SessionIds, steps: KeyStep[]): void;
  failed(error: unknown): void;
}

const ENDS: (Operation | null)[] = ["stop", "archive"];

/** After a failure, such as a full disk or a busy host. */
const TRY_AGAIN_MS = 5_000;

export type Readings = ReturnType<typeof createReadings>;

export function createReadings({
  agents,
  rows,
  events,
  look,
  read,
  over,
  release,
  press,
  failed,
}: ReadingsParts) {
  const all = new Map<string, Followed>();

  function begin(session: SessionIds, agent: string, start: ReaderStart): Followed {
    const followed: Followed = {
      session,
      reader: agents.createReader(agent, start),
      ...{
        hasOutput: false,
        isCaughtUp: false,
        trouble: undefined,
        isStopped: false,
        hasPressed: false,
        gauges: "null",
        timer: undefined,
        reading: undefined,
        asked: undefined,
      },
    };
    all.set(session.sessionId, followed);
    return followed;
  }

  /** A session that an earlier server started is followed from its current state. */
  function follow(session: SessionIds): Followed {
    const { sessionId, taskId } = session;
    const known = all.get(sessionId);
    if (known !== undefined) return known;
    return begin(session, rows.find(taskId)?.agent ?? "", { prompted: false, note: null, at: Date.now() });
  }

  function evaluate(followed: Followed) {
    const { session, reader, isCaughtUp, trouble, isStopped, hasOutput } = followed;
    if (isStopped) return;
    const known = trouble ?? (isCaughtUp && !hasOutput ? plainReading("working", null) : undefined);
    if (known !== undefined) {
      tell(followed, known);
      return;
    }
    if (!isCaughtUp) return;
    const now = Date.now();
    const reading = reader.read(now);
    for (const ask of reading.release) {
      reader.observe({ type: "over", ask, how: "released", at: now });
      release(session, ask);
    }
    noteAsked(followed, reading.asks);
    tell(followed, reading);
    if (reading.press !== undefined && !followed.hasPressed) {
      followed.hasPressed = true;
      press(session, reading.press);
    }
    clearTimeout(followed.timer);
    if (reading.again !== null) lookIn(followed, Math.max(reading.again - now, 0) + 1);
  }

  /** What was asked before a restart is in the row. */
  function lastAsked({ session, asked }: Followed): Ask | null {
    if (asked !== undefined) return asked;
    const task = rows.find(session.taskId);
    return task?.sessionId === session.sessionId ? task.asks : null;
  }

  function noteAsked(followed: Followed, asks: Ask | null) {
    const before = lastAsked(followed);
    if (before !== null && before.id !== asks?.id) {
      // One that is being ended asks nothing more, and nothing of that was answered.
      if (ENDS.includes(rows.find(followed.session.taskId)?.sessionOperation ?? null)) return;
      over(followed.session, before, false);
    }
    followed.asked = asks;
  }

  /** Looks at the screen later, and again if that doesn't lead to a reading. */
  function lookIn(followed: Followed, ms: number) {
    clearTimeout(followed.timer);
    followed.timer = setTimeout(() => {
      lookIn(followed, TRY_AGAIN_MS);
      look(followed.session.sessionId);
    }, ms);
    followed.timer.unref();
  }

  function write(followed: Followed, reading: Reading) {
    const { session, reader } = followed;
    const { taskId, sessionId } = session;
    followed.reading = reading;
    const task = rows.find(taskId);
    // An agent that is being stopped would only look idle.
    if (task?.sessionId !== sessionId || task.sessionOperation === "stop") return;
    const columns = newColumns(task, reading, reader);
    const status = reading.kind === "working" ? "running" : "waiting_for_input";
    if (columns === undefined && task.sessionStatus === status) return;
    const moves = status === "running" ? ("output" as const) : ("asks" as const);
    const type = task.sessionStatus === status ? ("noted" as const) : moves;
    rows.report(taskId, sessionId, { type }, () => ({ columns: columns ?? {} }));
  }

  /** Others may want to know it, whether or not the row says something new. */
  function tell(followed: Followed, reading: Reading) {
    write(followed, reading);
    read(followed.session);
  }

  function tellGauges(followed: Followed) {
    const gauges = followed.reader.gauges();
    const text = JSON.stringify(gauges);
    if (text === followed.gauges) return;
    followed.gauges = text;
    events.tell("session", { ...followed.session, gauges });
  }

  /** After a failure it tries again, even if nothing more is observed. */
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
        if (observation.type === "signal" || observation.type === "note") tellGauges(followed);
        evaluate(followed);
      });
    },

    caughtUp(session: SessionIds) {
      const followed = follow(session);
      followed.isCaughtUp = true;
      guarded(followed, () => evaluate(followed));
    },

    /** Its host is running and can't be used, or it can be used again. */
    troubled(session: SessionIds, trouble: HostTrouble | undefined) {
      const followed = follow(session);
      followed.trouble = trouble && plainReading("trouble", troubleInWords(trouble, "agent"));
      guarded(followed, () => evaluate(followed));
    },

    /** It has ended, which is recorded elsewhere. */
    stop(sessionId: string) {
      const followed = all.get(sessionId);
      if (followed === undefined) return;
      if (followed.isStopped) return;
      followed.isStopped = true;
      clearTimeout(followed.timer);
      guarded(followed, () => {
        const asked = lastAsked(followed);
        if (asked !== null) over(followed.session, asked, true);
      });
    },

    reading: (sessionId: string) => all.get(sessionId)?.reading,

    /** Its prompt box on this screen; undefined if nobody knows what that looks like. */
    box: (sessionId: string, screen: Screen): PromptBox | undefined =>
      all.get(sessionId)?.reader.box?.(screen),

    answer(sessionId: string, answer: Answer): Delivery {
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

/** For when the agent's reader can't tell, because the host can't be reached or nothing was printed yet. */
const plainReading = (kind: Reading["kind"], reason: string | null): Reading => ({
  ...{ kind, reason, since: Date.now(), until: null, asks: null, release: [], again: null },
  ...{ intake: { held: reason ?? "The agent is just starting." }, accepted: null, less: null },
});

type Columns = Partial<Pick<TaskRow, "activity" | "asks" | "lastReply" | "agentSessionId">>;

/** The columns that have changed, if any. */
function newColumns(task: TaskRow, reading: Reading, reader: Reader): Columns | undefined {
  const columns: Columns = {};
  const permissions = reader.permissions?.() ?? undefined;
  if (!isSameActivity(task.activity, reading, permissions) || !isSameAsk(task.asks, reading.asks)) {
    const { kind, reason, until, since, asks, less } = reading;
    const at = new Date(since).toISOString();
    const held = heldOf(reading);
    columns.activity = {
      ...{ kind, reason, until, since: at },
      ...(less !== null && { less }),
      ...(held !== undefined && { held }),
      ...(permissions !== undefined && { permissions }),
    };
    columns.asks = asks;
  }
  const reply = reader.reply();
  if (reply !== null && reply !== task.lastReply) columns.lastReply = reply;
  const conversation = reader.conversation();
  if (conversation !== null && conversation !== task.agentSessionId) columns.agentSessionId = conversation;
  return Object.keys(columns).length === 0 ? undefined : columns;
}

const isSameActivity = (before: AgentActivity | null, reading: Reading, permissions?: Permissions) =>
  before?.kind === reading.kind &&
  before.reason === reading.reason &&
  before.until === reading.until &&
  (before.less ?? null) === reading.less &&
  before.held === heldOf(reading) &&
  before.permissions?.allows === permissions?.allows;

const heldOf = ({ intake }: Reading) => (intake === "open" ? undefined : intake.held);

/** In everything that is shown of it. */
const isSameAsk = (before: Ask | null, now: Ask | null) => Bun.deepEquals(before, now);
