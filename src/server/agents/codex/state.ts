// What Codex is doing: one pure function of what is known. The first line that holds wins.
//
//  | what is known                                                       | is it doing                      |
//  | ------------------------------------------------------------------- | -------------------------------- |
//  | 1 a request of the app-server is open                               | permission, question             |
//  | 2 its app-server has been gone for a while, though the session runs | trouble                          |
//  | 3 for a moment the app-server has said that it waits for a person,  | permission, question, trouble    |
//  |   or the terminal program has (OSC 7501) where the server can't,    |                                  |
//  |   and nothing says what for                                         |                                  |
//  | 4 the newest turn is under way                                      | working                          |
//  | 5 its screen shows a dialog that nothing else tells of, and for     | question, trouble                |
//  |   a while if it isn't one of its start                              |                                  |
//  | 6 the newest turn is over                                           | finished, limited, trouble, idle |
//  |   … and a subagent or a command goes on                             | background                       |
//  | 7 no turn so far, or no app-server: what it says of itself          | as it says                       |
//  |   (OSC 7501), but for the moment before it submits its first        |                                  |
//  |   prompt, and as long as the app-server may be about to say more    |                                  |
//  | 8 anything else                                                     | working                          |

import { clip } from "../ask-text.ts";
import { createLasting, type Lasted } from "../lasting.ts";
import { programActivity } from "../program-status.ts";
import { HELD, type Intake, type Reading } from "../reading.ts";
import { canBeAnswered, elsewhere, isQuestion, toAsk } from "./ask.ts";
import type { Facts, Turn } from "./facts.ts";
import { renewedAt } from "./gauges.ts";
import { troubleOf } from "./trouble.ts";

/** A server that was stopped with its session has ended by then. */
const GONE_MS = 3_000;
/** If it hasn't submitted its first prompt by then, it won't. */
const SUBMIT_MS = 5_000;
/** The app-server says what is asked, or what was the reply, by then. */
const MORE_MS = 3_000;

/** What is asked has been told by then, or what was answered has gone. */
const TOLD_MS = 1_000;
/** A dialog that has stood for so long is not about to go away. */
const STANDS_MS = 2_000;

const LONGEST = 300;
const LESS = "This version of Codex can't be followed closely, so you can answer it only in its terminal.";
const NO_SERVER =
  "Codex lost its app-server and can't go on. Stop the session and resume it; the conversation is kept.";
const WAITS = {
  permission: "It's asking for permission. Answer in its terminal.",
  question: "It has a question. Answer in its terminal.",
};

type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "until" | "asks">>;

export function read(facts: Facts, now: number): Reading {
  const { lasted, due } = createLasting(now);
  const found = doing(facts, lasted);
  return {
    ...{ reason: null, until: null, asks: null, release: [] },
    ...found,
    intake: intakeOf(facts, found.kind),
    accepted: facts.promptedAt,
    less: facts.link.is === "none" ? LESS : null,
    again: due.length === 0 ? null : Math.min(...due),
  };
}

/** It takes prompts while it works, too; handed to its server, they get past a list that somebody has opened. */
function intakeOf({ dialog, link }: Facts, kind: Reading["kind"]): Intake {
  if (kind === "permission" || kind === "question") return HELD.asks;
  if (dialog !== null && (dialog.isKnown || link.is === "none")) return HELD.dialog;
  return link.is === "none" && kind === "working" ? HELD.working : "open";
}

function doing(facts: Facts, lasted: Lasted): Found {
  const { asks, link, turn, dialog } = facts;
  const [ask] = asks;
  if (ask !== undefined) return asking(ask);
  if (link.is === "lost" && lasted(link.since, GONE_MS))
    return { kind: "trouble", since: link.since, reason: NO_SERVER };
  const waits = waitsFor(facts, lasted);
  if (waits !== undefined) return waits;
  if (turn?.status === "working") {
    const { at: since, retrying } = turn;
    return { kind: "working", since, reason: retrying === null ? facts.note : `Retrying: ${retrying}` };
  }
  if (dialog !== null && stands(facts, dialog, lasted)) {
    const { kind, reason, since } = dialog;
    return { kind, reason, since };
  }
  return turn === null ? bySelf(facts, lasted) : resting(facts, turn);
}

/** What was asked in the turn may be on the screen for a moment after it. */
function stands(facts: Facts, { isKnown, since, seen }: NonNullable<Facts["dialog"]>, lasted: Lasted) {
  const { turn, reports } = facts;
  if (isKnown) return true;
  if (isServed(facts) && reports.some(({ state }) => state === "blocked")) return false;
  const from = Math.max(since, turn?.at ?? 0);
  return lasted(from, STANDS_MS) && seen > from;
}

/**
 * The server knows best whether anything waits: in the terminal the dialog of a subagent stays after it was answered
 * elsewhere.
 */
const isServed = ({ link, tellsWaiting }: Facts) => link.is === "connected" && tellsWaiting;

/** Something waits for a person, of which there is nothing more to say than what is on its screen. */
function waitsFor(facts: Facts, lasted: Lasted): Found | undefined {
  const { turn, waiting, reports, askedUntil, dialog } = facts;
  if (turn === null) return undefined; // its terminal program says so below
  const shown = dialog === null ? undefined : dialog.reason;
  for (const { for: kind, since } of waiting.values()) {
    const from = Math.max(since, askedUntil ?? 0);
    if (lasted(from, TOLD_MS)) return { kind, since: from, reason: shown ?? WAITS[kind] };
  }
  if (isServed(facts)) return undefined;
  const isNew = (at: number) => askedUntil === null || at > askedUntil;
  const said = programActivity(reports.filter(({ state, at }) => state === "blocked" && isNew(at)));
  if (said === undefined || !lasted(said.since, TOLD_MS)) return undefined;
  return { ...said, reason: shown ?? said.reason };
}

function asking(ask: Facts["asks"][number]): Found {
  const { method, at: since } = ask;
  if (!canBeAnswered(method)) {
    const { kind, words } = elsewhere(ask);
    return { kind, since, reason: words };
  }
  const asks = toAsk(ask);
  return { kind: isQuestion(ask) ? "question" : "permission", since, reason: asks.summary, asks };
}

function resting({ gauges, subagents, commands }: Facts, turn: Exclude<Turn, { status: "working" }>): Found {
  const since = turn.at;
  if (turn.status === "failed") return { ...troubleOf(turn.error, renewedAt(gauges)), since };
  if (turn.status === "interrupted") return { kind: "idle", since, reason: "Interrupted." };
  const names = [...subagents.values()].filter(({ isActive }) => isActive).map(({ name }) => name);
  const active = [...names, ...commands.values()];
  if (active.length === 0) return { kind: "finished", since };
  return { kind: "background", since, reason: `Still running: ${clip(active.join(", "), LONGEST)}.` };
}

function bySelf({ reports, prompted, promptedAt, at, note, link }: Facts, lasted: Lasted): Found {
  const said = programActivity(reports);
  const starting: Found = { kind: "working", since: at, reason: note };
  if (said === undefined) return starting;
  if (said.kind === "working") return said;
  const isFirst = prompted && promptedAt === null;
  const isAboutToSubmit = isFirst && said.kind === "idle" && !lasted(said.since, SUBMIT_MS);
  const isOnlyPart = link.is !== "none" && said.kind !== "idle" && !lasted(said.since, MORE_MS);
  return isAboutToSubmit || isOnlyPart ? starting : said;
}
