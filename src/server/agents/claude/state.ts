// What Claude Code is doing: one pure function of what is known. The first line that holds wins.
//
//  | what is known                                                         | is it doing          |
//  | --------------------------------------------------------------------- | -------------------- |
//  | 1 it asks (PermissionRequest is held), and neither the title nor the  | permission, question |
//  |   screen shows that this was answered in the terminal, where its      |                      |
//  |   dialog has been seen before                                         |                      |
//  | 2 its last hook says that the turn is over (Stop, StopFailure, /clear,| finished, limited,   |
//  |   what it asked was withdrawn), and the title has not been busy for   | trouble, idle        |
//  |   a while since                                                       |                      |
//  | 3 its last hook says that it works, but the title has been at rest    | question by a menu,  |
//  |   for a second since, and the screen agrees (Esc fires no hook)       | else idle            |
//  | 4 its last hook says that it works, the title says nothing, and the   | question by a menu,  |
//  |   screen is silent with a menu or an empty input box                  | else idle            |
//  | 5 its last hook says that it works, or the title is busy              | working              |
//  | 6 no hook so far: the screen shows what stands in the way of a start  | question, trouble    |
//  | 7 no hook so far: silent at a menu                                    | question             |
//  | 8 no hook so far: silent at its input box, and not about to submit    | finished if it was   |
//  |   the prompt it was started with; and from then on, whatever is       | busy before, or idle |
//  |   written, as long as neither title nor screen is busy                |                      |
//  | 9 anything else                                                       | working              |
//
// Title, screen and hooks come by different ways and overtake each other, so whatever contradicts a hook
// has to last: SETTLED for an ask, GRACE before "interrupted", REAWAKE before a turn that was over goes on,
// LATE as long as it may only be what was before.
import type { Reading } from "../reading.ts";
import { isQuestion, type OpenAsk, toAsk } from "./ask.ts";
import { type Facts, type Lasted, restsSince, SETTLED_MS, type Turn } from "./facts.ts";
import { troubleOf } from "./trouble.ts";

const HUNG_UP_MS = 300;
const GRACE_MS = 1_000;
const REAWAKE_MS = 1_500;
/** On a busy machine title and screen may show for so long what was before the hook. */
const LATE_MS = 5_000;
/** On a busy machine it takes a while to take an answer in. */
const LINGER_MS = 1_900;
/** For an input box that is written to all the while, by somebody who types. */
const RESTLESS_MS = 1_800;

type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "until" | "asks">>;

export function read(facts: Facts, now: number): Reading {
  const due: number[] = [];
  /** Has it lasted? If not, it is worth another look then. */
  const lasted = (since: number, ms: number) => {
    if (now - since >= ms) return true;
    due.push(since + ms);
    return false;
  };
  const answered = facts.asks.filter((ask) => isAnswered(facts, ask, lasted));
  const ask = facts.asks.find((one) => !answered.includes(one));
  const found = ask === undefined ? withoutAsk(facts, now, lasted) : asking(ask);
  return {
    reason: null,
    until: null,
    asks: null,
    ...found,
    release: [...facts.settled, ...answered.map(({ id }) => id)],
    again: due.length === 0 ? null : Math.min(...due),
  };
}

function asking(open: OpenAsk): Found {
  const asks = toAsk(open);
  return { kind: isQuestion(open) ? "question" : "permission", since: open.at, reason: asks.summary, asks };
}

/** In the terminal, of which no hook tells until the tool has run. */
function isAnswered(
  { title, screen }: Facts,
  { at, isShown, withdrawnAt }: OpenAsk,
  lasted: Lasted,
): boolean {
  // An agent that is killed hangs up too, and is not idle for that last moment.
  if (withdrawnAt !== undefined) return lasted(withdrawnAt, HUNG_UP_MS);
  // Until its dialog is drawn all looks like work; one that is never seen was gone before anyone looked.
  if (!isShown && !lasted(at, LATE_MS)) return false;
  if (title.mark === "busy" && title.since > at && lasted(title.since, SETTLED_MS)) return true;
  // While it asks, the input box is hidden.
  const isLater = screen !== null && screen.at >= at + GRACE_MS;
  return isLater && (screen.look.is === "box" || screen.look.is === "busy");
}

function withoutAsk(facts: Facts, now: number, lasted: Lasted): Found {
  const { turn, title } = facts;
  if (turn === null) return beforeHooks(facts, now, lasted);
  if (turn.type === "working") return atWork(facts, turn, now, lasted);
  const since = Math.max(title.since, turn.at);
  const isAwake = title.mark === "busy" && lasted(since, title.since > turn.at ? REAWAKE_MS : LATE_MS);
  return isAwake ? { kind: "working", since } : resting(turn);
}

function resting(turn: Exclude<Turn, { type: "working" }>): Found {
  const since = turn.at;
  switch (turn.type) {
    case "finished":
      return { kind: "finished", since };
    case "failed":
      return { ...troubleOf(turn.error, turn.message, turn.at), since };
    case "interrupted":
      return { kind: "idle", since, reason: INTERRUPTED };
    case "cleared":
      return { kind: "idle", since, reason: "The conversation was cleared." };
  }
}

const INTERRUPTED = "Interrupted.";

function atWork(
  { title, screen, quietSince, note }: Facts,
  turn: Extract<Turn, { type: "working" }>,
  now: number,
  lasted: Lasted,
): Found {
  const working: Found = { kind: "working", since: turn.at, reason: note };
  if (title.mark === "busy") return working;
  const isSilent = quietSince !== null;
  const from = title.mark === "rest" ? Math.max(title.since, turn.at) : turn.at;
  const grace = isSilent ? GRACE_MS : RESTLESS_MS;
  if (!lasted(from, turn.answered ? LINGER_MS : grace)) return working;
  // A screen from before would show what was there then.
  if (screen === null || screen.at < from + SETTLED_MS) {
    lasted(now, SETTLED_MS); // never yet: by then there is another look
    return working;
  }
  if (screen.look.is === "menu") return { kind: "question", since: from, reason: screen.look.text };
  if (screen.look.is === "busy" || screen.look.is === "blocked") return working;
  if (title.mark === "none" && (!isSilent || screen.look.is !== "box")) return working;
  return { kind: "idle", since: from, reason: INTERRUPTED };
}

function beforeHooks(facts: Facts, now: number, lasted: Lasted): Found {
  const { screen, title, quietSince, wasBusy, at, note } = facts;
  const starting: Found = { kind: "working", since: at, reason: note };
  if (screen?.look.is === "blocked")
    return { kind: screen.look.kind, since: screen.at, reason: screen.look.reason };
  if (title.mark === "busy") return { ...starting, since: title.since };
  const isSilent = quietSince !== null && screen !== null && screen.at >= quietSince;
  if (isSilent && screen.look.is === "menu")
    return { kind: "question", since: quietSince, reason: screen.look.text };
  const since = facts.restedSince ?? restsSince(facts, lasted);
  if (since === null) return starting;
  // What is being written may be its work, if it says so in no other way.
  if (quietSince === null) lasted(now, SETTLED_MS);
  return { kind: wasBusy ? "finished" : "idle", since: Math.min(since, now) };
}
