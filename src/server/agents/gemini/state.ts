// What Gemini CLI is doing: its title says whether it works, its screen what it asks, its transcript how a turn ended.
// The first line that holds wins.
//
//  | what is known                                            | is it doing                                  |
//  | -------------------------------------------------------- | -------------------------------------------- |
//  | 1 a dialog of its start or of a limit is on the screen   | question, trouble, limited                   |
//  | 2 the title asks                                         | permission, question                         |
//  | 3 the title is busy                                      | working                                      |
//  | 4 the title is at rest, and for a while its screen has   | question                                     |
//  |   shown another dialog, or for long neither that nor     |                                              |
//  |   its input box                                          |                                              |
//  | 5 the title is at rest: the transcript's last line, which may come a moment after the title, is         |
//  |     a reply                                              | finished                                     |
//  |     an error                                             | limited, trouble                             |
//  |     that it was cancelled                                | idle, interrupted                            |
//  |     none: its input box is there, and no first prompt is about to be sent                | idle         |
//  | 6 anything else                                          | working                                      |
import { createLasting, type Lasted } from "../lasting.ts";
import { HELD, type Intake, type Reading } from "../reading.ts";
import { resetTime } from "../reset-time.ts";
import { toAsk } from "./ask.ts";
import { type Facts, TAKEN_MS } from "./facts.ts";
import { type Dialog, headingOf } from "./screen.ts";
import { troubleOf } from "./trouble.ts";

/** By then it has sent its first prompt, on the slowest machine. */
const BEGUN_MS = 60_000;
/** On a busy machine the screen and the transcript may be this late. */
const LATE_MS = 3_000;
/** Esc too lets the title rest, and the transcript says so only then. */
const SETTLED_MS = 300;
/** A dialog that has stood for so long is not about to go away. */
const STANDS_MS = 2_000;
/** After so long a silence at something that can't be read, somebody should look at it. */
const UNCLEAR_MS = 10_000;

const WORDS = {
  trust: {
    kind: "question",
    reason:
      "Gemini CLI asks whether it may trust this folder. Answer in its terminal; trusting the repository itself once spares you the question for its other tasks.",
  },
  login: {
    kind: "trouble",
    reason: "Gemini CLI is not signed in. Open its terminal and follow its steps.",
  },
  limit: {
    kind: "limited",
    reason: "The usage limit has been reached. Its terminal asks whether to keep trying or to stop.",
  },
} as const;
const UNCLEAR =
  "It has stopped, and its terminal shows neither its input box nor anything else that banto knows. Look there.";

type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "until" | "asks">>;

export function read(facts: Facts, now: number): Reading {
  const { lasted, due } = createLasting(now);
  const doing = find(facts, lasted);
  return {
    ...{ reason: null, until: null, asks: null, less: lessOf(facts, lasted), release: [] },
    ...doing,
    intake: intakeOf(facts, doing.kind),
    accepted: facts.transcript.promptedAt,
    again: due.length === 0 ? null : Math.min(...due),
  };
}

function find(facts: Facts, lasted: Lasted): Found {
  const { title, dialog, answered, retrying, note } = facts;
  const { mark, since } = title;
  if (dialog !== null) {
    const words = WORDS[dialog.seen.is as keyof typeof WORDS];
    if (words !== undefined) return { ...words, since: dialog.since, until: untilOf(dialog) };
  }
  const working: Found = { kind: "working", since, reason: note };
  if (mark === "asks") {
    if (dialog !== null) return asking(dialog);
    if (answered !== null && !lasted(answered.at, TAKEN_MS)) return working;
    // The title is ahead of the screen.
    if (!lasted(since, LATE_MS)) return working;
    return { kind: "permission", since, reason: "It's asking for something. Answer in its terminal." };
  }
  if (mark !== "rest") return retrying === null ? working : { ...working, reason: `Retrying: ${retrying}` };
  return inTheWay(facts, lasted) ?? atRest(facts, lasted, working);
}

function inTheWay({ dialog, boxlessSince, hasBegun, title }: Facts, lasted: Lasted): Found | undefined {
  if (dialog !== null) {
    const since = Math.max(dialog.since, title.since);
    if (!lasted(since, STANDS_MS)) return undefined;
    const heading = headingOf(dialog.seen);
    const end = /[.?!…]$/.test(heading) ? "" : ".";
    return {
      kind: "question",
      since,
      reason: `A dialog is open in its terminal: “${heading}”${end} Answer it there.`,
    };
  }
  if (boxlessSince === null || !hasBegun) return undefined;
  const since = Math.max(boxlessSince, title.since);
  return lasted(since, UNCLEAR_MS) ? { kind: "question", since, reason: UNCLEAR } : undefined;
}

function atRest(
  { transcript, title, hasBegun, prompted, at, isAtBox }: Facts,
  lasted: Lasted,
  working: Found,
): Found {
  const { end, promptedAt } = transcript;
  const { since } = title;
  if (!hasBegun) return working;
  if (promptedAt === null && prompted && !lasted(at, BEGUN_MS)) return working;
  if (end?.type === "reply")
    return lasted(Math.max(since, end.at), SETTLED_MS) ? { kind: "finished", since } : working;
  if (end?.type === "error") return { ...troubleOf(end.text, end.at), since };
  if (end?.type === "cancelled") return { kind: "idle", since, reason: "Interrupted." };
  if (promptedAt !== null && !lasted(Math.max(since, promptedAt), LATE_MS)) return working;
  return isAtBox ? { kind: "idle", since } : working;
}

function asking({ id, seen, since }: NonNullable<Facts["dialog"]>): Found {
  const asks = toAsk(id, seen);
  return { kind: seen.is === "permission" ? "permission" : "question", since, reason: asks.summary, asks };
}

/** It names a time of day, in the zone of this machine. */
function untilOf({ seen, since }: { seen: Dialog; since: number }): string | null {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return seen.is === "limit" ? resetTime(seen.rows.join(" "), since, zone) : null;
}

const NO_TITLE =
  "Gemini CLI doesn't say in its terminal's title whether it works, so banto sees less of it. Look for hideWindowTitle or dynamicWindowTitle in its settings.";
const NO_TRANSCRIPT =
  "Gemini CLI writes down no conversation that banto can find, so its replies aren't shown here, nor how a turn ended.";

/** Its layers, as far as they should have been seen by then. */
function lessOf({ title, transcript, at, hasBegun, prompted }: Facts, lasted: Lasted): string | null {
  if (!hasBegun) return null;
  if (title.mark === "none") return lasted(at, BEGUN_MS) ? NO_TITLE : null;
  return prompted && transcript.session === null && lasted(at, BEGUN_MS) ? NO_TRANSCRIPT : null;
}

/** While it works it keeps prompts for later. */
function intakeOf({ dialog, isAtBox, hasBegun, title }: Facts, kind: Reading["kind"]): Intake {
  if (kind === "permission" || kind === "question") return HELD.asks;
  if (dialog !== null) return HELD.dialog;
  const isReady = isAtBox && (hasBegun || title.mark === "busy");
  return isReady ? "open" : { held: "Gemini CLI is not ready for a prompt. Look at its terminal." };
}
