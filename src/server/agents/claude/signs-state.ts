// Lines 8 to 15 of the table in state.ts: what Claude Code is doing by its hooks, its title and its screen.
import { type Facts, type Found, type Lasted, restsSince, SETTLED_MS, type Turn } from "./facts.ts";
import { namesOf } from "./told.ts";
import { troubleOf } from "./trouble.ts";

/** Before it is said to be interrupted. */
export const GRACE_MS = 1_000;
/** Before a turn that was over goes on. */
const REAWAKE_MS = 1_500;
/** On a busy machine title and screen may show for so long what was before the hook. */
export const LATE_MS = 5_000;
/** On a busy machine it takes a while to take an answer in. */
export const LINGER_MS = 1_900;
/** For an input box that is written to all the while, by somebody who types. */
const RESTLESS_MS = 1_800;
/** A dialog may blink, so it is never silent: then it has to look the same for so long. */
const STILL_MS = 2_000;
/** After so long a silence at something that can't be read, somebody should look at it. */
const UNCLEAR_MS = 10_000;

export function bySigns(facts: Facts, now: number, lasted: Lasted): Found {
  const { turn, title } = facts;
  if (turn === null) return beforeHooks(facts, now, lasted);
  if (turn.type === "working") return atWork(facts, turn, now, lasted);
  const since = Math.max(title.since, turn.at);
  const isAwake = title.mark === "busy" && lasted(since, title.since > turn.at ? REAWAKE_MS : LATE_MS);
  if (isAwake) return { kind: "working", since };
  return dialogAfter(facts, turn, lasted) ?? resting(turn);
}

/** Something is offered or asked after the turn. After a failure that is only what to do about it. */
function dialogAfter({ screen }: Facts, turn: Turn, lasted: Lasted): Found | undefined {
  if (turn.type !== "finished" || screen === null) return undefined;
  const { look, sameSince, at } = screen;
  if ((look.is !== "menu" && look.is !== "dialog") || at < turn.at + SETTLED_MS) return undefined;
  const since = Math.max(sameSince, turn.at);
  return lasted(since, STILL_MS) ? { kind: "question", since, reason: look.text } : undefined;
}

export function resting(turn: Exclude<Turn, { type: "working" }>): Found {
  const since = turn.at;
  switch (turn.type) {
    case "finished": {
      const left = namesOf(turn.tasks ?? []);
      return left === null
        ? { kind: "finished", since }
        : { kind: "background", since, reason: `Still running: ${left}.` };
    }
    case "failed":
      return { ...troubleOf(turn.error, turn.message, turn.at), since };
    case "interrupted":
      return { kind: "idle", since, reason: INTERRUPTED };
    case "cleared":
      return { kind: "idle", since, reason: "The conversation was cleared." };
  }
}

export const INTERRUPTED = "Interrupted.";

/** Above its input box it says so. */
export const isShownInterrupted = (screen: Facts["screen"]) =>
  screen?.look.is === "box" && screen.look.isInterrupted;

const UNCLEAR =
  "It has stopped, and its terminal shows neither its input box nor anything else that banto recognizes. Look at its terminal.";

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
  const { look, sameSince } = screen;
  if (look.is === "menu") return { kind: "question", since: from, reason: look.text };
  if (title.mark === "rest" && look.is === "dialog" && lasted(sameSince, STILL_MS))
    return { kind: "question", since: from, reason: look.text };
  const isUnclear = title.mark === "rest" && isSilent && look.is === "unclear";
  if (isUnclear && lasted(Math.max(from, sameSince, quietSince), UNCLEAR_MS))
    return { kind: "question", since: from, reason: UNCLEAR };
  // Nobody is told of an interrupt before the input box is there again.
  if (look.is !== "box" || (title.mark === "none" && !isSilent)) return working;
  return { kind: "idle", since: from, reason: INTERRUPTED };
}

/** What keeps it from starting; what is about banto's own settings only once that can't be helped. */
export function blocking(screen: Facts["screen"], lasted: Lasted): Found | undefined {
  if (screen?.look.is !== "blocked") return undefined;
  const { kind, reason, skipped } = screen.look;
  if (skipped !== undefined && !lasted(screen.sameSince, LATE_MS)) return undefined;
  return { kind, since: screen.at, reason };
}

function beforeHooks(facts: Facts, now: number, lasted: Lasted): Found {
  const { screen, title, quietSince, wasBusy, at, note } = facts;
  const starting: Found = { kind: "working", since: at, reason: note };
  const blocks = blocking(screen, lasted);
  if (blocks !== undefined) return blocks;
  if (title.mark === "busy") return { ...starting, since: title.since };
  const isSilent = quietSince !== null && screen !== null && screen.at >= quietSince;
  // Somebody who goes through its choices makes it write.
  if (screen?.look.is === "menu" && screen.wasSilent)
    return { kind: "question", since: quietSince ?? screen.sameSince, reason: screen.look.text };
  if (screen?.look.is === "menu" && lasted(screen.sameSince, STILL_MS))
    return { kind: "question", since: screen.sameSince, reason: screen.look.text };
  const since = facts.restedSince ?? restsSince(facts, lasted);
  if (since === null) {
    const isUnclear = isSilent && title.mark === "rest" && screen.look.is === "unclear";
    if (isUnclear && lasted(Math.max(quietSince, title.since, screen.sameSince), UNCLEAR_MS))
      return { kind: "question", since: quietSince, reason: UNCLEAR };
    return starting;
  }
  // What is being written may be its work, if it says so in no other way.
  if (quietSince === null) lasted(now, SETTLED_MS);
  if (wasBusy && isShownInterrupted(screen))
    return { kind: "idle", since: Math.min(since, now), reason: INTERRUPTED };
  return { kind: wasBusy ? "finished" : "idle", since: Math.min(since, now) };
}
