// What is known of a Claude Code session: the last word of each kind of sign, and when it came. Pure.
import type { Observation, ReaderStart } from "../reading.ts";
import type { OpenAsk } from "./ask.ts";
import { type Hook, parseHook } from "./hooks.ts";
import { type Look, lookAt, type Mark, markOf } from "./screen.ts";

/** What its hooks said last of the turn, subagents left out. */
export type Turn = {
  at: number;
  /** Of the hook that said so, or of the last before it. */
  serial: number;
} /** `answered`: what it asked was answered a moment ago, and its dialog may linger. */ & (
  | { type: "working"; answered?: true }
  | { type: "finished" }
  | { type: "failed"; error: string; message: string }
  | { type: "interrupted" }
  | { type: "cleared" }
);

export interface Facts extends ReaderStart {
  turn: Turn | null;
  /** Held open by the host, oldest first. */
  asks: OpenAsk[];
  /** Held open too, though hooks have told since that they were answered in the terminal. */
  settled: string[];
  /** Since when the title says so. */
  title: { mark: Mark; since: number };
  /** It has been seen at work, by whatever sign. */
  wasBusy: boolean;
  screen: { look: Look; at: number } | null;
  /** Since when nothing has been written; null while something is. */
  quietSince: number | null;
  /** Since when it had nothing to do before something was written again; somebody may be typing. */
  restedSince: number | null;
}

export const SETTLED_MS = 500;
/** A prompt that is not submitted by then never will be. */
const SUBMIT_MS = 15_000;

/** Has it been so for that long? */
export type Lasted = (since: number, ms: number) => boolean;

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  turn: null,
  asks: [],
  settled: [],
  title: { mark: "none", since: start.at },
  wasBusy: false,
  screen: null,
  quietSince: null,
  restedSince: null,
});

export function observe(facts: Facts, observation: Observation): Facts {
  switch (observation.type) {
    case "output": {
      const rested = restsSince(facts, (since, ms) => observation.at - since >= ms);
      return { ...facts, restedSince: facts.restedSince ?? rested, quietSince: null };
    }
    case "title": {
      const mark = markOf(observation.title);
      const since = mark === facts.title.mark ? facts.title.since : observation.at;
      const titled = { ...facts, title: { mark, since } };
      if (mark === "rest") return withDialog(titled);
      return mark === "busy" ? { ...titled, wasBusy: true, restedSince: null } : titled;
    }
    case "screen": {
      facts = notAfter(facts, observation.at);
      const quietSince = observation.quiet ? (facts.quietSince ?? observation.at) : null;
      const look = lookAt(observation.screen);
      const restedSince = look.is === "busy" ? null : facts.restedSince;
      const seen = { ...facts, screen: { look, at: observation.at }, quietSince, restedSince };
      return look.is === "menu" ? withDialog(seen) : seen;
    }
    case "over":
      return over(facts, observation);
    case "signal": {
      const hook = parseHook(observation.signal);
      if (hook === undefined) return facts;
      return withHook(facts, hook, observation.signal.ask);
    }
  }
}

/** Since when it is silent at its input box with nothing to do, as far as title and screen tell; or null. */
export function restsSince(facts: Facts, lasted: Lasted): number | null {
  const { screen, title, quietSince, wasBusy, prompted } = facts;
  if (title.mark === "busy" || quietSince === null) return null;
  if (screen === null || screen.at < quietSince || screen.look.is !== "box") return null;
  if (!lasted(Math.max(title.since, quietSince), SETTLED_MS)) return null;
  const isAboutToSubmit = prompted && !wasBusy && !lasted(quietSince, SUBMIT_MS);
  return isAboutToSubmit ? null : quietSince;
}

/** Times that are still to come are from before the clock was set back, and nothing would last from then on. */
function notAfter(facts: Facts, now: number): Facts {
  const past = (at: number) => Math.min(at, now);
  const { turn, asks, title, quietSince, restedSince } = facts;
  return {
    ...facts,
    turn: turn && { ...turn, at: past(turn.at) },
    asks: asks.map((ask) => ({
      ...ask,
      at: past(ask.at),
      ...(ask.withdrawnAt !== undefined && { withdrawnAt: past(ask.withdrawnAt) }),
    })),
    title: { ...title, since: past(title.since) },
    quietSince: quietSince && past(quietSince),
    restedSince: restedSince && past(restedSince),
  };
}

/** What it asks stands in its terminal. */
const withDialog = (facts: Facts): Facts => ({
  ...facts,
  asks: facts.asks.map((ask) => ({ ...ask, isShown: true })),
});

/** The newer word counts, in whatever order they arrive. */
const withTurn = (facts: Facts, turn: Turn): Facts =>
  facts.turn !== null && facts.turn.serial > turn.serial ? facts : { ...facts, turn };

function over(known: Facts, { ask, how, at }: Extract<Observation, { type: "over" }>): Facts {
  const facts = { ...known, settled: known.settled.filter((id) => id !== ask) };
  if (!facts.asks.some(({ id }) => id === ask)) return facts;
  const serial = facts.turn?.serial ?? 0; // it comes after every hook that was told
  const rest = { ...facts, asks: facts.asks.filter(({ id }) => id !== ask) };
  if (how === "released") return rest;
  if (how === "answered") return withTurn(rest, { type: "working", answered: true, at, serial });
  // Claude hangs up on what it asked only when the whole turn is called off, or when it ends itself.
  const asks = facts.asks.map((one) => (one.id === ask ? { ...one, withdrawnAt: at } : one));
  return withTurn({ ...facts, asks }, { type: "interrupted", at, serial });
}

function withHook(facts: Facts, hook: Hook, ask: string | undefined): Facts {
  const { at, serial, event } = hook;
  if (ask !== undefined) {
    // Whoever asks, a subagent too, nothing goes on before there is an answer.
    const { asks, title, turn } = facts;
    const isKnown = asks.some(({ id }) => id === ask);
    // Its dialog may come first; a title that rests since before the turn's last word is older than that.
    const isShown = title.mark === "rest" && turn !== null && title.since > turn.at;
    const open = isKnown ? asks : [...asks, { ...hook, id: ask, isShown }];
    return withTurn({ ...facts, asks: open, wasBusy: true }, { type: "working", at, serial });
  }
  if (event === "PostToolUse" || event === "PostToolUseFailure") facts = withToolRun(facts, hook);
  if (hook.agentId !== null) return facts;
  switch (event) {
    case "UserPromptSubmit":
      return withTurn({ ...withTurnOver(facts, serial), wasBusy: true }, { type: "working", at, serial });
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PreCompact":
      return withTurn({ ...facts, wasBusy: true }, { type: "working", at, serial });
    case "Stop":
      return withTurn(withTurnOver(facts, serial), { type: "finished", at, serial });
    case "StopFailure": {
      const { error, message } = hook;
      return withTurn(withTurnOver(facts, serial), { type: "failed", at, serial, error, message });
    }
    case "SessionEnd":
      if (hook.reason !== "clear") return facts;
      return withTurn(withTurnOver(facts, serial), { type: "cleared", at, serial });
    default:
      return facts;
  }
}

function settle(facts: Facts, done: OpenAsk[]): Facts {
  const asks = facts.asks.filter((ask) => !done.includes(ask));
  return { ...facts, asks, settled: [...facts.settled, ...done.map(({ id }) => id)] };
}

/** Whatever was asked before is not asked any more. */
const withTurnOver = (facts: Facts, serial: number): Facts =>
  settle(
    facts,
    facts.asks.filter((ask) => ask.serial < serial),
  );

/** A tool that has run was allowed, wherever that was said. */
function withToolRun(facts: Facts, { tool, input, serial }: Hook): Facts {
  const key = JSON.stringify(input);
  const isIt = (ask: OpenAsk) =>
    ask.serial < serial && ask.tool === tool && JSON.stringify(ask.input) === key;
  return settle(facts, facts.asks.filter(isIt).slice(0, 1));
}
