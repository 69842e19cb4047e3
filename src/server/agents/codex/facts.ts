// What is known about a Codex session: the latest sign of each kind, and when it came. Pure.
import type { Gauges } from "../../../contract.ts";
import type { Program } from "../../hosts/connection.ts";
import type { Observation, ReaderStart } from "../reading.ts";
import { isForPeople, type OpenAsk, threadOf, unwrapped, withId } from "./ask.ts";
import { NO_GAUGES, withLimits, withTokens } from "./gauges.ts";
import {
  CHANNEL,
  type ChannelNote,
  type Fields,
  fields,
  list,
  number,
  parseMessage,
  SAID,
  type ServerMessage,
  subagentName,
  text,
} from "./protocol.ts";
import { type Dialog, dialogOn } from "./screen.ts";

/** The conversation's newest turn. */
export type Turn = { at: number } & (
  | { status: "working"; retrying: string | null }
  | { status: "completed" | "interrupted" }
  | { status: "failed"; error: Fields }
);

export interface Facts extends ReaderStart {
  /** Whether the app-server can be heard, and since when; `none`: this session has none. */
  link: { is: "unknown" | "connected" | "lost" | "none"; since: number };
  threadId: string | null;
  turn: Turn | null;
  /** Oldest first. */
  asks: OpenAsk[];
  /** When the last of them was over. */
  askedUntil: number | null;
  /** The conversation and its subagents, as far as they wait for a person, and since when. */
  waiting: Map<string, { for: "permission" | "question"; since: number }>;
  /** The app-server says of each whether it waits. */
  tellsWaiting: boolean;
  /** Of edits that are under way: what becomes of which file. */
  changes: Map<string, Fields[]>;
  /** Commands that run, by their items. Some go on after the turn that began them. */
  commands: Map<string, string>;
  /** Subagents by their thread: their names, and whether they work. */
  subagents: Map<string, { name: string; isActive: boolean }>;
  /** What its terminal program says of itself. */
  reports: Program[];
  promptedAt: number | null;
  /** `seen`: when it was last on the screen. */
  dialog: (Dialog & { since: number; seen: number }) | null;
  gauges: Gauges;
  reply: string | null;
}

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  link: { is: "unknown", since: start.at },
  threadId: null,
  turn: null,
  asks: [],
  askedUntil: null,
  waiting: new Map(),
  tellsWaiting: false,
  changes: new Map(),
  commands: new Map(),
  subagents: new Map(),
  reports: [],
  promptedAt: null,
  dialog: null,
  gauges: NO_GAUGES,
  reply: null,
});

export function observe(facts: Facts, observation: Observation): Facts {
  const { at } = observation;
  switch (observation.type) {
    case "screen": {
      const found = dialogOn(observation.screen);
      const since = found?.reason === facts.dialog?.reason ? (facts.dialog?.since ?? at) : at;
      return { ...facts, dialog: found === undefined ? null : { ...found, since, seen: at } };
    }
    case "program":
      return withReports(facts, observation.reports);
    case "over":
      return withoutAsk(facts, at, ({ id }) => id === observation.ask);
    case "note": {
      if (observation.source === CHANNEL) return withNote(facts, observation.body as ChannelNote, at);
      const message = observation.source === SAID ? parseMessage(observation.body) : undefined;
      return message === undefined ? facts : withMessage(facts, message, at);
    }
    default:
      return facts;
  }
}

function withoutAsk(facts: Facts, at: number, isOver: (ask: OpenAsk) => boolean): Facts {
  const asks = facts.asks.filter((ask) => !isOver(ask));
  return asks.length === facts.asks.length ? facts : { ...facts, asks, askedUntil: at };
}

/** Without an app-server that is all there is to tell when it took a prompt. */
function withReports(facts: Facts, reports: Program[]): Facts {
  const root = (all: Program[]) => all.find(({ id }) => id === "");
  const [before, now] = [root(facts.reports), root(reports)];
  const began = now?.state === "working" && before?.state !== "working" && before?.state !== "blocked";
  return { ...facts, reports, ...(began && { promptedAt: now.at }) };
}

function withNote(facts: Facts, note: ChannelNote, at: number): Facts {
  switch (note.type) {
    case "connected": {
      const gauges = { ...facts.gauges, version: note.version ?? facts.gauges.version };
      // What is still being asked is told again.
      const anew = { asks: [], waiting: new Map(), tellsWaiting: false };
      return { ...facts, link: { is: "connected", since: at }, ...anew, gauges };
    }
    case "lost":
    case "none":
      return { ...facts, link: { is: note.type, since: at } };
    case "limits":
      return { ...facts, gauges: withLimits(facts.gauges, note.rateLimits) };
    case "thread": {
      const threadId = text(note.thread.id);
      const gauges = { ...facts.gauges, model: note.model ?? facts.gauges.model };
      const same = threadId === facts.threadId;
      const anew = { turn: null, asks: [], waiting: new Map(), commands: new Map() };
      const known = { ...facts, threadId, gauges, ...(!same && anew) };
      return "status" in note.thread ? withStatus(known, threadId, fields(note.thread.status), at) : known;
    }
    case "subagent": {
      const { id, source, status } = note.thread;
      const path = fields(fields(fields(source).subAgent).thread_spawn).agent_path;
      const known = withSubagent(facts, text(id), subagentName(path), fields(status).type === "active");
      return withStatus(known, text(id), fields(status), at);
    }
    case "commands": {
      const running = note.commands.map(
        ({ itemId, command }) => [text(itemId), unwrapped(text(command))] as const,
      );
      return { ...facts, commands: new Map(running) };
    }
    case "turn":
      return withTurn(facts, note.turn, at);
  }
}

/** As it stands, which the time at which it is told says nothing about. */
function withTurn(facts: Facts, turn: Fields, now: number): Facts {
  const seconds = number(turn.completedAt) ?? number(turn.startedAt);
  const at = seconds === null ? now : Math.min(now, seconds * 1_000);
  const { status } = turn;
  if (status === "failed") return { ...facts, turn: { status, error: fields(turn.error), at } };
  // Of what was interrupted nothing more is told.
  if (status === "interrupted") return { ...facts, turn: { status, at }, commands: new Map() };
  if (status !== "completed") return { ...facts, turn: { status: "working", retrying: null, at } };
  const said = list(turn.items).findLast(({ type }) => type === "agentMessage");
  return { ...facts, turn: { status, at }, reply: said === undefined ? facts.reply : text(said.text) };
}

function withMessage(facts: Facts, { method, params, id }: ServerMessage, at: number): Facts {
  const threadId = threadOf(params);
  const isOurs = threadId !== "" && threadId === facts.threadId;
  const subagent = facts.subagents.get(threadId);
  if (id !== undefined) {
    if (!isForPeople(method) || !(isOurs || subagent)) return facts;
    const changes = facts.changes.get(text(params.itemId)) ?? [];
    const since = Math.min(at, number(params.startedAtMs) ?? at);
    const by = subagent?.name ?? null;
    const ask = withId({ request: id, method, params, at: since, changes, by });
    return { ...facts, asks: [...facts.asks.filter((one) => one.id !== ask.id), ask] };
  }
  switch (method) {
    case "serverRequest/resolved":
      return withoutAsk(facts, at, ({ request }) => request === params.requestId);
    case "account/rateLimits/updated":
      return { ...facts, gauges: withLimits(facts.gauges, fields(params.rateLimits)) };
  }
  if ((isOurs || subagent !== undefined) && method === "thread/status/changed") {
    const status = fields(params.status);
    if (subagent !== undefined)
      facts = withSubagent(facts, threadId, subagent.name, status.type === "active");
    return withStatus(facts, threadId, status, at);
  }
  if (isOurs || subagent !== undefined) facts = withItems(facts, method, fields(params.item));
  return isOurs ? withOurs(facts, method, params, at) : facts;
}

function withStatus(facts: Facts, threadId: string, { type, activeFlags }: Fields, at: number): Facts {
  const flags = Array.isArray(activeFlags) ? activeFlags : [];
  const tellsWaiting = type === "active" ? Array.isArray(activeFlags) : facts.tellsWaiting || type === "idle";
  const isAsking = flags.some((flag) => text(flag).startsWith("waitingOn"));
  if (!isAsking) return { ...facts, tellsWaiting, waiting: without(facts.waiting, threadId) };
  const kind = flags.includes("waitingOnApproval") ? "permission" : "question";
  const since = facts.waiting.get(threadId)?.since ?? at;
  return { ...facts, tellsWaiting, waiting: new Map(facts.waiting).set(threadId, { for: kind, since }) };
}

function withOurs(facts: Facts, method: string, params: Fields, at: number): Facts {
  switch (method) {
    case "turn/started":
      return { ...facts, turn: { status: "working", retrying: null, at }, promptedAt: at };
    case "item/started": // it goes on
      return facts.turn?.status === "working" ? { ...facts, turn: { ...facts.turn, retrying: null } } : facts;
    case "turn/completed":
      return withTurn(facts, { ...fields(params.turn), completedAt: at / 1_000 }, at);
    case "error": {
      if (params.willRetry !== true || facts.turn?.status !== "working") return facts;
      return { ...facts, turn: { ...facts.turn, retrying: text(fields(params.error).message) || null } };
    }
    case "thread/tokenUsage/updated":
      return { ...facts, gauges: withTokens(facts.gauges, fields(params.tokenUsage)) };
    case "thread/settings/updated": {
      const model = text(fields(params.threadSettings).model);
      return model === "" ? facts : { ...facts, gauges: { ...facts.gauges, model } };
    }
    default:
      return facts;
  }
}

/** What is being done, in the conversation or by a subagent. */
function withItems(facts: Facts, method: string, item: Fields): Facts {
  const id = text(item.id);
  if (method === "item/completed")
    return { ...facts, changes: without(facts.changes, id), commands: without(facts.commands, id) };
  if (method !== "item/started") return facts;
  if (item.type === "fileChange")
    return { ...facts, changes: new Map(facts.changes).set(id, list(item.changes)) };
  if (item.type === "commandExecution")
    return { ...facts, commands: new Map(facts.commands).set(id, unwrapped(text(item.command))) };
  if (item.type === "subAgentActivity" && item.kind === "started")
    return withSubagent(facts, text(item.agentThreadId), subagentName(item.agentPath), false);
  return facts;
}

function without<T>(map: Map<string, T>, key: string): Map<string, T> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

function withSubagent(facts: Facts, threadId: string, name: string, isActive: boolean): Facts {
  return { ...facts, subagents: new Map(facts.subagents).set(threadId, { name, isActive }) };
}
