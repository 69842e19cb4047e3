// Lines 2 to 7 of the table in state.ts: what Claude Code is doing where it says so itself.
import { type Facts, type Found, type Lasted, SETTLED_MS, SUBMIT_MS, type Turn } from "./facts.ts";
import {
  blocking,
  GRACE_MS,
  INTERRUPTED,
  isShownInterrupted,
  LATE_MS,
  LINGER_MS,
  resting,
} from "./signs-state.ts";
import { namesOf, type Told } from "./told.ts";
import { NEXT } from "./trouble.ts";

export function byTold(facts: Facts, told: Told, now: number, lasted: Lasted): Found {
  const { turn } = facts;
  const { since } = told;
  const working: Found = { kind: "working", since, reason: facts.note };
  if (turn !== null && isFresh(facts, turn, told, lasted))
    return turn.type === "working" ? working : resting(turn);
  if (told.is === "blocked") {
    // Its hook says more, and may come later.
    const hasCome = told.by === "auth" && turn?.type === "failed";
    const isHookDue = turn !== null && told.by !== "dialog" && !hasCome && !lasted(since, SETTLED_MS);
    return isHookDue ? working : blocked(facts, told);
  }
  // Its own commands may take a moment, too, and clearing a conversation longer than that on a busy machine.
  const isBrief = isOver(turn) && !lasted(since, turn.type === "cleared" ? LATE_MS : SETTLED_MS);
  const { background: before, report } = facts;
  const until = before?.until ?? null;
  // What ran in the background has ended, and it is about to look at it.
  const isJustOver = isBrief && until !== null && turn.at < until && !lasted(until, SETTLED_MS);
  if (before !== null && isJustOver) return background(before.told);
  if (told.is === "working" && (isBrief || isLeftRunning(facts, told))) return resting(turn as Over);
  if (told.is === "working") return working;
  // The next prompt may be waiting already, and it tells how a turn ended in one way before the other.
  const isLeft = facts.toldBefore === "blocked"; // a dialog was, and nothing came of it
  if (facts.wasBusy && !isLeft && !isOver(turn) && !lasted(since, SETTLED_MS)) return working;
  // The title may be ahead of the file. Where it reports to its terminal, the title says nothing.
  const { mark, since: titled } = facts.title;
  const isAhead = report === null && mark === "busy" && titled > since && !lasted(titled, LATE_MS);
  if (isAhead && (!isOver(turn) || lasted(titled, SETTLED_MS))) return working;
  // Its title says so no more once it reports to its terminal, of which is heard a moment later.
  const isHandedOver = report === null && turn === null && facts.wasBusy && mark === "none" && titled > since;
  if (isHandedOver && !lasted(titled, SETTLED_MS)) return working;
  const dialog = inTheWay(facts, told, now, lasted);
  if (dialog !== undefined) return dialog;
  if (facts.prompted && turn === null && !facts.wasBusy && !lasted(since, SUBMIT_MS))
    return { ...working, since: facts.at };
  if (told.is === "background") return background(told, turn);
  return ended(facts, told, lasted);
}

type Over = Exclude<Turn, { type: "working" }>;

/** It tells of nothing but what its turn has left, and has no file that would tell more. */
function isLeftRunning({ turn, file }: Facts, { running }: Told): boolean {
  if (file !== null || turn?.type !== "finished" || running.length === 0) return false;
  return running.every(({ id }) => turn.tasks?.some((task) => task.id === id));
}

function background({ words, since }: Told, turn: Turn | null = null): Found {
  const left = turn?.type === "finished" ? namesOf(turn.tasks ?? []) : null;
  const names = words ?? left;
  const reason = names === null ? "A shell command is still running." : `Still running: ${names}.`;
  return { kind: "background", since, reason };
}

/** Its last hook came a moment ago, and what it tells of itself may be from before. */
function isFresh({ promptedAt }: Facts, turn: Turn, { since }: Told, lasted: Lasted): boolean {
  // A dialog may be told of only after it was answered.
  const isAnswer = turn.type === "working" && turn.answered === true;
  if (turn.at + (isAnswer ? SETTLED_MS : 0) < since) return false;
  if (isAnswer) return !lasted(turn.at, LINGER_MS);
  // The hook of a tool may be the last one of what was interrupted. Any other says more than that.
  const isTool = turn.type === "working" && turn.at !== promptedAt;
  return !lasted(turn.at, isTool ? GRACE_MS : LATE_MS);
}

function blocked({ turn, screen }: Facts, told: Told): Found {
  const { since, by } = told;
  // A dialog that offers what to do now, or that somebody has opened since.
  if (turn?.type === "failed" && (by === "auth" || by === "dialog")) return resting(turn);
  if (by === "auth") return { kind: "trouble", since, reason: NEXT.authentication_failed ?? null };
  if (turn === null && screen?.look.is === "blocked")
    return { kind: screen.look.kind, since, reason: screen.look.reason };
  return { kind: by === "permission" ? "permission" : "question", since, reason: reasonOf(told, screen) };
}

const dialogWith = (text: string) =>
  `A dialog is open in its terminal: “${text}”${/[.?!…]$/.test(text) ? "" : "."} Answer it there.`;

function reasonOf({ by, words, since }: Told, screen: Facts["screen"]): string {
  const isShown = screen !== null && screen.at >= since;
  const { look } = isShown ? screen : { look: undefined };
  const shown = look?.is === "menu" || look?.is === "dialog" ? look.text : undefined;
  if (by === "dialog")
    return shown === undefined ? "A dialog is open in its terminal. Answer it there." : dialogWith(shown);
  const asked = words?.replace(/^(approve|answer:|MCP input:) /, "") ?? shown;
  const what = words?.startsWith("MCP input:") ? `The MCP server ${asked} is asking for input.` : asked;
  if (what === undefined)
    return by === "permission"
      ? "It's asking for permission. Answer in its terminal."
      : "It has a question. Answer in its terminal.";
  return `${what} (Answer in its terminal.)`;
}

/** A dialog of which it does not tell: one of a start, or of an end with work in the background. */
function inTheWay(
  { screen, turn, toldBefore }: Facts,
  told: Told,
  now: number,
  lasted: Lasted,
): Found | undefined {
  if (screen === null || turn?.type === "failed") return undefined;
  const { look, at, sameSince } = screen;
  if (look.is === "blocked" && turn === null) return blocking(screen, lasted);
  if (look.is !== "menu" && look.is !== "dialog") return undefined;
  const from = Math.max(told.since, sameSince);
  // What it has told of until just now may still be drawn.
  const mayLinger = toldBefore === "blocked" && sameSince < told.since + LINGER_MS;
  const ms = mayLinger ? LINGER_MS : GRACE_MS;
  if (!lasted(from, ms) || at < from + ms) {
    if (now - from < LATE_MS) lasted(now, SETTLED_MS);
    return undefined;
  }
  return {
    kind: "question",
    since: from,
    reason: dialogWith(look.text),
  };
}

/** Its last hook knows more of it, unless it is of a turn before. */
function ended(facts: Facts, { is, since, words }: Told, lasted: Lasted): Found {
  const { turn, wasBusy, report, screen, note } = facts;
  const isOld = turn !== null && since > turn.at + LATE_MS;
  const last = isOver(turn) ? turn : undefined;
  // It is about to look at what has ended.
  const isJustOver = last !== undefined && since >= last.at && !lasted(since, SETTLED_MS);
  if (isJustOver && last.type === "finished" && is !== "failed") return resting(last);
  if (is === "failed" && (last?.type !== "failed" || isOld)) return { kind: "trouble", since, reason: words };
  if (is === "done" && (last === undefined || isOld)) return { kind: "finished", since };
  if (last !== undefined) return resting(since >= last.at ? withoutEnded(last, report) : last);
  if (turn !== null) return { kind: "idle", since, reason: INTERRUPTED };
  if (!wasBusy) return { kind: "idle", since };
  if (report !== null)
    return report.is === "idle" ? { kind: "idle", since, reason: INTERRUPTED } : { kind: "finished", since };
  // Of an end the file says only that there is nothing to do any more; the screen says more.
  const isSeen = screen !== null && screen.at > since && screen.look.is === "box";
  if (!isSeen && !lasted(since, LINGER_MS)) return { kind: "working", since: facts.at, reason: note };
  return isShownInterrupted(screen)
    ? { kind: "idle", since, reason: INTERRUPTED }
    : { kind: "finished", since };
}

/** It rests since then, so what the turn had left has ended; the file alone tells of shells only. */
function withoutEnded(turn: Over, report: Told | null): Over {
  if (turn.type !== "finished") return turn;
  return { ...turn, tasks: report === null ? (turn.tasks ?? []).filter(({ type }) => type !== "shell") : [] };
}

const isOver = (turn: Turn | null): turn is Over => turn !== null && turn.type !== "working";
