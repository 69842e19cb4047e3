// What OpenCode is doing, by what its plugin tells. The first line that holds wins.
//
//  | what is known                                  | is it doing                                    |
//  | ---------------------------------------------- | ---------------------------------------------- |
//  | 1 nothing was told for a while                 | what its screen looks like, and it says why    |
//  | 2 it asks (the host holds the request)         | permission, question                           |
//  | 3 it tries again                               | limited, trouble; working, the first time      |
//  | 4 it is busy, or about to take its first prompt | working                                       |
//  | 5 its turn failed, or was interrupted          | limited, trouble, idle                         |
//  | 6 its last message has ended                   | finished                                       |
//  | 7 it was prompted, and its message has no end  | idle, interrupted                              |
//  | 8 its input box is there                       | idle                                           |
//  | 9 anything else                                | working                                        |
import { type Gauges, LIMITS } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import { clip } from "../ask-text.ts";
import { createPlainReader } from "../plain-reader.ts";
import {
  HELD,
  type Intake,
  type Observation,
  type Reader,
  type ReaderStart,
  type Reading,
} from "../reading.ts";
import { answerBody } from "./answers.ts";
import { type OpenAsk, toAsk } from "./ask.ts";
import { gaugesOf } from "./gauges.ts";
import { permissionsBy } from "./permissions.ts";
import { parseBody, parseReport, type Report } from "./report.ts";
import { type Look, lookAt } from "./screen.ts";
import { troubleOfError, troubleOfRetry } from "./trouble.ts";

/** By then it has loaded its plugins and taken its first prompt, on the slowest machine. */
const BEGUN_MS = 60_000;
const UNHEARD =
  "OpenCode didn't load banto's plugin, so banto sees less of what it does, and you can answer it only in its terminal.";

type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "until" | "asks">>;

/** Follows one session of OpenCode. */
export function createOpenCodeReader(start: ReaderStart): Reader {
  const unheard = createPlainReader(start);
  let report: Report | undefined;
  let look: Look = "other";
  let asks: OpenAsk[] = [];
  let gauges: Gauges | null = null;
  let reply: string | null = null;

  function observe(observation: Observation) {
    unheard.observe(observation);
    if (observation.type === "screen") look = lookAt(observation.screen);
    else if (observation.type === "over") asks = asks.filter(({ id }) => id !== observation.ask);
    else if (observation.type === "signal") hear(observation.signal);
  }

  function hear({ name, at, body, ask }: Extract<Observation, { type: "signal" }>["signal"]) {
    if (ask !== undefined) {
      const kind = name === "question" ? "question" : "permission";
      if (!asks.some(({ id }) => id === ask)) asks = [...asks, { id: ask, at, kind, said: parseBody(body) }];
      return;
    }
    report = parseReport(body) ?? report;
    if (report === undefined) return;
    gauges = gaugesOf(report);
    if (report.status === "idle" && report.finish === "stop" && report.error === null)
      reply = clip(report.reply, LIMITS.lastReply);
  }

  function find(now: number): Found {
    const [ask] = asks;
    if (ask !== undefined) {
      const shown = toAsk(ask);
      return { kind: ask.kind, since: ask.at, reason: shown.summary, asks: shown };
    }
    if (report === undefined) return { kind: "working", since: start.at, reason: start.note };
    return found(report, { look, now, start });
  }

  return {
    observe,

    read(now) {
      const isUnheard = report === undefined && asks.length === 0;
      if (isUnheard && now - start.at >= BEGUN_MS) return { ...unheard.read(now), less: UNHEARD };
      const doing = find(now);
      const isBeginning = isUnheard || (start.prompted && report?.promptedAt === null);
      return {
        ...{ reason: null, until: null, asks: null, less: null, release: [] },
        ...doing,
        intake: intakeOf(doing.kind, look),
        accepted: report?.promptedAt ?? null,
        again: isBeginning && now < start.at + BEGUN_MS ? start.at + BEGUN_MS : null,
      };
    },

    permissions: () => permissionsBy(report?.rules ?? null),
    gauges: () => gauges,
    reply: () => reply,
    conversation: () => report?.session ?? null,

    answer(answer) {
      const open = asks.find(({ id }) => id === answer.ask);
      if (open === undefined)
        throw new DomainError("conflict", "That was already answered, or is no longer being asked.");
      return { via: "signal", body: answerBody(open, answer) };
    },
  };
}

/** While it works it keeps prompts for later. */
function intakeOf(kind: Reading["kind"], look: Look): Intake {
  if (kind === "permission" || kind === "question") return HELD.asks;
  if (look === "dialog") return HELD.dialog;
  return look === "box" ? "open" : { held: "OpenCode is not ready for a prompt. Look at its terminal." };
}

/** Ends of a message after which it goes on. */
const GOES_ON = ["tool-calls", "unknown"];

function found(report: Report, { look, now, start }: { look: Look; now: number; start: ReaderStart }): Found {
  const { status, since, error, finish, promptedAt } = report;
  if (status === "retry") return { ...troubleOfRetry(report), since };
  if (status === "busy") return { kind: "working", since, reason: start.note };
  if (error !== null && error.name !== "MessageAbortedError") return { ...troubleOfError(error), since };
  if (error === null && finish !== null && !GOES_ON.includes(finish)) return { kind: "finished", since };
  if (promptedAt !== null) return { kind: "idle", since, reason: "Interrupted." };
  const isAboutToSubmit = start.prompted && now - start.at < BEGUN_MS;
  if (look !== "box" || isAboutToSubmit) return { kind: "working", since, reason: start.note };
  return { kind: "idle", since };
}
