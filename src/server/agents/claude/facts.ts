// What is known of a Claude Code session: the last word of each kind of sign, and when it came. Pure.
import type { News, ReaderStart } from "../reading.ts";
import type { OpenAsk } from "./ask.ts";
import { type Hook, parseHook } from "./hooks.ts";
import { type Look, lookAt, type Mark, markOf } from "./screen.ts";

/** What its hooks said last of the turn, subagents left out. */
export type Turn = {
  at: number;
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
  /** Since when the title says so. */
  title: { mark: Mark; since: number };
  /** It has been seen at work, by whatever sign. */
  wasBusy: boolean;
  screen: { look: Look; at: number } | null;
  /** Since when nothing has been written; null while something is. */
  quietSince: number | null;
}

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  turn: null,
  asks: [],
  title: { mark: "none", since: start.at },
  wasBusy: false,
  screen: null,
  quietSince: null,
});

export function hear(facts: Facts, news: News): Facts {
  switch (news.type) {
    case "output":
      return { ...facts, quietSince: null };
    case "title": {
      const mark = markOf(news.title);
      const since = mark === facts.title.mark ? facts.title.since : news.at;
      return { ...facts, title: { mark, since }, wasBusy: facts.wasBusy || mark === "busy" };
    }
    case "screen": {
      const quietSince = news.quiet ? (facts.quietSince ?? news.at) : null;
      return { ...facts, screen: { look: lookAt(news.screen), at: news.at }, quietSince };
    }
    case "over":
      return over(facts, news);
    case "signal": {
      const hook = parseHook(news.signal);
      if (hook === undefined) return facts;
      return withHook(facts, hook, news.signal.ask);
    }
  }
}

/** The newer word counts, in whatever order they arrive. */
const withTurn = (facts: Facts, turn: Turn): Facts =>
  facts.turn !== null && facts.turn.at > turn.at ? facts : { ...facts, turn };

function over(facts: Facts, { ask, how, at }: Extract<News, { type: "over" }>): Facts {
  if (!facts.asks.some(({ id }) => id === ask)) return facts;
  const rest = { ...facts, asks: facts.asks.filter(({ id }) => id !== ask) };
  if (how === "released") return rest;
  if (how === "answered") return withTurn(rest, { type: "working", answered: true, at });
  // Claude hangs up on what it asked only when the whole turn is called off, or when it ends itself.
  const asks = facts.asks.map((one) => (one.id === ask ? { ...one, withdrawnAt: at } : one));
  return withTurn({ ...facts, asks }, { type: "interrupted", at });
}

function withHook(facts: Facts, hook: Hook, ask: string | undefined): Facts {
  const { at, event } = hook;
  if (ask !== undefined) {
    // Whoever asks, a subagent too, nothing goes on before there is an answer.
    const asks = facts.asks.some(({ id }) => id === ask) ? facts.asks : [...facts.asks, { ...hook, id: ask }];
    return withTurn({ ...facts, asks, wasBusy: true }, { type: "working", at });
  }
  if (event === "PostToolUse" || event === "PostToolUseFailure") facts = withoutAsk(facts, hook);
  if (hook.agentId !== null) return facts;
  switch (event) {
    case "UserPromptSubmit":
      return withTurn({ ...facts, asks: askedAfter(facts, at), wasBusy: true }, { type: "working", at });
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PreCompact":
      return withTurn({ ...facts, wasBusy: true }, { type: "working", at });
    case "Stop":
      return withTurn({ ...facts, asks: askedAfter(facts, at) }, { type: "finished", at });
    case "StopFailure": {
      const { error, message } = hook;
      return withTurn({ ...facts, asks: askedAfter(facts, at) }, { type: "failed", at, error, message });
    }
    case "SessionEnd":
      return hook.reason === "clear" ? withTurn({ ...facts, asks: [] }, { type: "cleared", at }) : facts;
    default:
      return facts;
  }
}

const askedAfter = ({ asks }: Facts, at: number) => asks.filter((ask) => ask.at > at);

/** A tool that has run was allowed, wherever that was said. */
function withoutAsk(facts: Facts, { tool, input }: Hook): Facts {
  const key = JSON.stringify(input);
  const index = facts.asks.findIndex((ask) => ask.tool === tool && JSON.stringify(ask.input) === key);
  return index === -1 ? facts : { ...facts, asks: facts.asks.toSpliced(index, 1) };
}
