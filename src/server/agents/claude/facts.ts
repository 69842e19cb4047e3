// What is known about a Claude Code session: the latest sign of each kind, and when it came. Pure.
import type { Observation, PromptBox, ReaderStart, Reading } from "../reading.ts";
import { isNamed, type OpenAsk } from "./ask.ts";
import { type BackgroundTask, type Hook, parseHook } from "./hooks.ts";
import { boxOf, type Look, lookAt, type Mark, markOf } from "./screen.ts";
import { parseStateFile, STATE_FILE } from "./state-file.ts";
import { newerOf, type Told, toldByReports } from "./told.ts";

/** The last thing hooks said about the turn, except subagents'. */
export type Turn = {
  at: number;
  /** The serial of the hook that said so, or of the last one before. */
  serial: number;
} /** `answered`: its ask was just answered, and the dialog may linger. */ & (
  | { type: "working"; answered?: true }
  /** `tasks`: what it has left running. */
  | { type: "finished"; tasks?: BackgroundTask[] }
  | { type: "failed"; error: string; message: string }
  | { type: "interrupted" }
  | { type: "cleared" }
);

export interface Facts extends ReaderStart {
  turn: Turn | null;
  /** When it last took a prompt. */
  promptedAt: number | null;
  /** The last prompt of which a hook told. */
  heard: { text: string; at: number } | null;
  /** What it says of its own state, to its terminal and in its file; null where it doesn't. */
  report: Told | null;
  file: Told | null;
  /** What it told of before that. */
  toldBefore: Told["is"] | null;
  /** What it told of work in the background, and when it told of something else again. */
  background: { told: Told; until: number | null } | null;
  /** Of banto's settings, what it has said that it doesn't know. */
  skipped: string[];
  /** Of the file: the conversation it is in. */
  conversation: string | null;
  /** Held open by the host, oldest first. */
  asks: OpenAsk[];
  /** Still held open, though later hooks show that they were answered in the terminal. */
  settled: string[];
  /** The title's mark, and since when. */
  title: { mark: Mark; since: number };
  /** Some sign has shown it at work. */
  wasBusy: boolean;
  /** `sameSince`: since when it has looked like this, whatever blinks; `wasSilent`: it has been silent meanwhile. */
  screen: { look: Look; box: PromptBox; at: number; sameSince: number; wasSilent: boolean } | null;
  /** Since when it has written nothing; null while it is writing. */
  quietSince: number | null;
  /** Since when it was idle before something was written again. Somebody may be typing. */
  restedSince: number | null;
}

export const SETTLED_MS = 500;
/** If it hasn't submitted its first prompt by then, it won't. */
export const SUBMIT_MS = 15_000;

/** What it is doing, as far as anything says so. */
export type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "until" | "asks">>;

/** Whether something has lasted that long. */
export type Lasted = (since: number, ms: number) => boolean;

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  turn: null,
  promptedAt: null,
  heard: null,
  report: null,
  file: null,
  toldBefore: null,
  background: null,
  skipped: [],
  conversation: null,
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
      const before = facts.screen;
      const isSame = before !== null && JSON.stringify(before.look) === JSON.stringify(look);
      const sameSince = isSame ? Math.min(before.sameSince, observation.at) : observation.at;
      const wasSilent = observation.quiet || (isSame && before.wasSilent);
      const seen = {
        ...facts,
        screen: { look, box: boxOf(observation.screen), at: observation.at, sameSince, wasSilent },
        quietSince,
        restedSince,
        skipped: (look.is === "blocked" && look.skipped) || facts.skipped,
      };
      return look.is === "menu" ? withDialog(seen) : seen;
    }
    case "over":
      return over(facts, observation);
    case "program":
      return withTold(facts, { report: toldByReports(observation.reports, facts.report) });
    case "note": {
      if (observation.source !== STATE_FILE) return facts;
      const { told, conversation } = parseStateFile(observation.body);
      return withTold(facts, { file: told, conversation: conversation ?? facts.conversation });
    }
    case "signal": {
      const hook = parseHook(observation.signal);
      if (hook === undefined) return facts;
      return withHook(facts, hook, observation.signal.ask);
    }
  }
}

/** What it says of its own state by now. */
export const toldOf = ({ report, file }: Facts): Told | null => newerOf(report, file);

function withTold(known: Facts, news: Partial<Facts>): Facts {
  const [before, now] = [toldOf(known), toldOf({ ...known, ...news })];
  const toldBefore = before?.is === now?.is ? known.toldBefore : (before?.is ?? null);
  const facts = { ...known, ...news, toldBefore, background: backgroundOf(known, now) };
  if (now?.is === "blocked") return withDialog(facts, now.words);
  if (now?.is !== "working") return facts;
  // That it goes on after an answer does not say that it took a prompt.
  const isNew = before !== null && before.is !== "working" && before.is !== "blocked";
  const promptedAt = isNew ? Math.max(known.promptedAt ?? 0, now.since) : known.promptedAt;
  return { ...facts, wasBusy: true, promptedAt };
}

function backgroundOf({ background }: Facts, now: Told | null): Facts["background"] {
  if (now?.is === "background") return { told: now, until: null };
  return background && { ...background, until: background.until ?? now?.since ?? null };
}

/** Since when it has been silent at its input box with nothing to do, judging by title and screen; or null. */
export function restsSince(facts: Facts, lasted: Lasted): number | null {
  const { screen, title, quietSince, wasBusy, prompted } = facts;
  if (title.mark === "busy" || quietSince === null) return null;
  if (screen === null || screen.at < quietSince || screen.look.is !== "box") return null;
  if (!lasted(Math.max(title.since, quietSince), SETTLED_MS)) return null;
  const isAboutToSubmit = prompted && !wasBusy && !lasted(quietSince, SUBMIT_MS);
  return isAboutToSubmit ? null : quietSince;
}

/**
 * Times in the future are from before the clock was set back. Left alone, nothing would ever have lasted long enough.
 */
function notAfter(facts: Facts, now: number): Facts {
  const past = (at: number) => Math.min(at, now);
  const { turn, promptedAt, asks, title, quietSince, restedSince, report, file } = facts;
  return {
    ...facts,
    report: report && { ...report, since: past(report.since) },
    file: file && { ...file, since: past(file.since) },
    promptedAt: promptedAt && past(promptedAt),
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

/** Its terminal shows the dialog of what it asks; in its own words, where it says so. */
const withDialog = (facts: Facts, words: string | null = null): Facts => ({
  ...facts,
  asks: facts.asks.map((ask) => ({
    ...ask,
    isShown: true,
    wasNamed: ask.wasNamed || isNamed(ask, words),
  })),
});

/** The newer one counts, in whatever order they arrive. */
const withTurn = (facts: Facts, turn: Turn): Facts =>
  facts.turn !== null && facts.turn.serial > turn.serial ? facts : { ...facts, turn };

function over(known: Facts, { ask, how, at }: Extract<Observation, { type: "over" }>): Facts {
  const facts = { ...known, settled: known.settled.filter((id) => id !== ask) };
  if (!facts.asks.some(({ id }) => id === ask)) return facts;
  const serial = facts.turn?.serial ?? 0; // it comes after every hook so far
  const rest = { ...facts, asks: facts.asks.filter(({ id }) => id !== ask) };
  if (how === "released") return rest;
  if (how === "answered") return withTurn(rest, { type: "working", answered: true, at, serial });
  // Claude withdraws an ask only when the whole turn is cancelled, or when it exits.
  const asks = facts.asks.map((one) => (one.id === ask ? { ...one, withdrawnAt: at } : one));
  return withTurn({ ...facts, asks }, { type: "interrupted", at, serial });
}

function withHook(facts: Facts, hook: Hook, ask: string | undefined): Facts {
  const { at, serial, event } = hook;
  if (ask !== undefined) {
    // Nothing goes on before there is an answer, even if a subagent asked.
    const { asks, title, turn } = facts;
    const isKnown = asks.some(({ id }) => id === ask);
    // The dialog may show before the hook arrives. A title that came to rest before the turn's last hook is too old.
    const isShown =
      (title.mark === "rest" && turn !== null && title.since > turn.at) || toldOf(facts)?.is === "blocked";
    const wasNamed = isNamed(hook, toldOf(facts)?.words ?? null);
    const open = isKnown ? asks : [...asks, { ...hook, id: ask, isShown, wasNamed }];
    return withTurn({ ...facts, asks: open, wasBusy: true }, { type: "working", at, serial });
  }
  if (event === "PostToolUse" || event === "PostToolUseFailure") facts = withToolRun(facts, hook);
  if (hook.agentId !== null) return facts;
  switch (event) {
    case "UserPromptSubmit":
      return withTurn(
        { ...withTurnOver(facts, serial), wasBusy: true, promptedAt: at, heard: { text: hook.prompt, at } },
        { type: "working", at, serial },
      );
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PreCompact":
      return withTurn({ ...facts, wasBusy: true }, { type: "working", at, serial });
    case "PostCompact":
      // One that it does by itself is in the middle of a turn.
      return hook.trigger === "manual" ? withTurn(facts, { type: "finished", at, serial }) : facts;
    case "Stop":
      return withTurn(withTurnOver(facts, serial), { type: "finished", at, serial, tasks: hook.tasks });
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

/** Earlier asks are over. */
const withTurnOver = (facts: Facts, serial: number): Facts =>
  settle(
    facts,
    facts.asks.filter((ask) => ask.serial < serial),
  );

/** A tool that has run must have been allowed somewhere. */
function withToolRun(facts: Facts, { tool, input, serial }: Hook): Facts {
  const key = JSON.stringify(input);
  // A plan is not in what its tool says once it has run.
  const isSame = (ask: OpenAsk) => tool === "ExitPlanMode" || JSON.stringify(ask.input) === key;
  const isIt = (ask: OpenAsk) => ask.serial < serial && ask.tool === tool && isSame(ask);
  return settle(facts, facts.asks.filter(isIt).slice(0, 1));
}
