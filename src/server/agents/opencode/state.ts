// What OpenCode is doing, by what its plugin tells. The first line that holds wins.
//
//  | what is known                                  | is it doing                                    |
//  | ---------------------------------------------- | ---------------------------------------------- |
//  | 1 nothing was told for a while                 | what its screen looks like (reader.ts)         |
//  | 2 it asks (the host holds the request)         | permission, question                           |
//  | 3 it tries again                               | limited, trouble; working, the first time      |
//  | 4 it is busy                                   | working                                        |
//  | 5 at rest: for a while a list has been over    | question                                       |
//  |   its conversation, or for long its input box  |                                                |
//  |   has not been there                           |                                                |
//  | 6 its turn failed, or was interrupted          | limited, trouble, idle                         |
//  | 7 its last message has ended                   | finished                                       |
//  | 8 it was prompted, and its message has no end  | idle, interrupted                              |
//  | 9 its input box is there                       | idle                                           |
//  | 10 anything else, as before its first prompt   | working                                        |
import { createLasting, type Lasted } from "../lasting.ts";
import { HELD, type Intake, type Reading } from "../reading.ts";
import { toAsk } from "./ask.ts";
import type { Facts } from "./facts.ts";
import type { Report } from "./report.ts";
import { troubleOfError, troubleOfRetry } from "./trouble.ts";

/** By then it has loaded its plugins and taken its first prompt, on the slowest machine. */
const BEGUN_MS = 60_000;
/** Its input box comes after its plugins. */
const LOADED_MS = 15_000;
/** A list that has stood for so long is not about to go away. */
const STANDS_MS = 2_000;
/** After so long without its input box somebody should look at it. */
const UNCLEAR_MS = 10_000;

const UNCLEAR =
  "It has stopped, and its terminal shows neither its input box nor anything else that banto knows. Look there.";

type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "until" | "asks">>;

/** When its plugin can be said to be missing, if it isn't heard by then. */
export function unheardAt({ report, asks, screen, at }: Facts): number | null {
  if (report !== null || asks.length > 0) return null;
  const isAtBox = screen?.look.is === "box";
  return isAtBox ? Math.min(at + BEGUN_MS, screen.since + LOADED_MS) : at + BEGUN_MS;
}

export function read(facts: Facts, now: number): Reading {
  const { lasted, due } = createLasting(now);
  const doing = find(facts, lasted);
  const unheard = unheardAt(facts);
  if (unheard !== null) due.push(unheard);
  return {
    ...{ reason: null, until: null, asks: null, less: null, release: [] },
    ...doing,
    intake: intakeOf(doing.kind, facts),
    accepted: facts.report?.promptedAt ?? null,
    again: due.length === 0 ? null : Math.min(...due),
  };
}

function find(facts: Facts, lasted: Lasted): Found {
  const { report, asks, at, note } = facts;
  const [ask] = asks;
  if (ask !== undefined) {
    const shown = toAsk(ask);
    return { kind: ask.kind, since: ask.at, reason: shown.summary, asks: shown };
  }
  if (report === null) return { kind: "working", since: at, reason: note };
  const { status, since } = report;
  if (status === "retry") return { ...troubleOfRetry(report), since };
  if (status === "busy") return { kind: "working", since, reason: note };
  return inTheWay(facts, report, lasted) ?? atRest(facts, report, lasted);
}

/** Before the first prompt it is only starting. */
function inTheWay({ screen }: Facts, report: Report, lasted: Lasted): Found | undefined {
  if (screen === null || report.promptedAt === null) return undefined;
  const { look, at } = screen;
  const since = Math.max(screen.since, report.since);
  if (look.is === "box" || at < since) return undefined;
  if (look.is === "other")
    return lasted(since, UNCLEAR_MS) ? { kind: "question", since, reason: UNCLEAR } : undefined;
  const reason = `A dialog is open in its terminal: “${look.heading}”. Answer it there.`;
  return lasted(since, STANDS_MS) ? { kind: "question", since, reason } : undefined;
}

/** Ends of a message after which it goes on. */
const GOES_ON = ["tool-calls", "unknown"];

function atRest({ screen, prompted, at, note }: Facts, report: Report, lasted: Lasted): Found {
  const { since, error, finish, promptedAt } = report;
  if (error !== null && error.name !== "MessageAbortedError") return { ...troubleOfError(error), since };
  if (error === null && finish !== null && !GOES_ON.includes(finish)) return { kind: "finished", since };
  if (promptedAt !== null) return { kind: "idle", since, reason: "Interrupted." };
  const isAboutToSubmit = prompted && !lasted(at, BEGUN_MS);
  if (screen?.look.is !== "box" || isAboutToSubmit) return { kind: "working", since, reason: note };
  return { kind: "idle", since };
}

/** While it works it keeps prompts for later. */
function intakeOf(kind: Reading["kind"], { screen }: Facts): Intake {
  if (kind === "permission" || kind === "question") return HELD.asks;
  if (screen?.look.is === "dialog") return HELD.dialog;
  return screen?.look.is === "box"
    ? "open"
    : { held: "OpenCode is not ready for a prompt. Look at its terminal." };
}
