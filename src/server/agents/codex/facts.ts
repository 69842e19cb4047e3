// What is known about a Codex session: the latest sign of each kind, and when it came. Pure.
import type { Gauges } from "../../../contract.ts";
import type { Program } from "../../hosts/connection.ts";
import type { Observation, ReaderStart } from "../reading.ts";
import { askId, kindOf, type OpenAsk, unwrapped } from "./ask.ts";
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
  /** Of edits that are under way: what becomes of which file. */
  changes: Map<string, Fields[]>;
  /** Commands that run, by their items. Some go on after the turn that began them. */
  commands: Map<string, string>;
  /** Subagents by their thread: their names, and whether they work. */
  subagents: Map<string, { name: string; isActive: boolean }>;
  /** What its terminal program says of itself. */
  reports: Program[];
  promptedAt: number | null;
  dialog: (Dialog & { since: number }) | null;
  gauges: Gauges;
  reply: string | null;
}

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  link: { is: "unknown", since: start.at },
  threadId: null,
  turn: null,
  asks: [],
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
      return { ...facts, dialog: found === undefined ? null : { ...found, since } };
    }
    case "program":
      return withReports(facts, observation.reports);
    case "over":
      return { ...facts, asks: facts.asks.filter(({ id }) => id !== observation.ask) };
    case "note": {
      if (observation.source === CHANNEL) return withNote(facts, observation.body as ChannelNote, at);
      const message = observation.source === SAID ? parseMessage(observation.body) : undefined;
      return message === undefined ? facts : withMessage(facts, message, at);
    }
    default:
      return facts;
  }
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
      return { ...facts, link: { is: "connected", since: at }, asks: [], gauges };
    }
    case "lost":
    case "none":
      return { ...facts, link: { is: note.type, since: at } };
    case "limits":
      return { ...facts, gauges: withLimits(facts.gauges, note.rateLimits) };
    case "thread": {
      const threadId = text(note.thread.id);
      const gauges = { ...facts.gauges, model: note.model ?? facts.gauges.model };
      if (threadId === facts.threadId) return { ...facts, gauges };
      return { ...facts, threadId, gauges, turn: null, asks: [], commands: new Map() };
    }
    case "subagent": {
      const { id, source, status } = note.thread;
      const path = fields(fields(fields(source).subAgent).thread_spawn).agent_path;
      return withSubagent(facts, text(id), subagentName(path), fields(status).type === "active");
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
  const threadId = text(params.threadId);
  const isOurs = threadId !== "" && threadId === facts.threadId;
  const subagent = facts.subagents.get(threadId);
  if (id !== undefined) {
    if (kindOf(method) === undefined || !(isOurs || subagent)) return facts;
    const changes = facts.changes.get(text(params.itemId)) ?? [];
    const since = Math.min(at, number(params.startedAtMs) ?? at);
    const by = subagent?.name ?? null;
    const ask = { id: askId(params), request: id, method, params, at: since, changes, by };
    return { ...facts, asks: [...facts.asks.filter((one) => one.id !== ask.id), ask] };
  }
  switch (method) {
    case "serverRequest/resolved":
      return { ...facts, asks: facts.asks.filter(({ request }) => request !== params.requestId) };
    case "account/rateLimits/updated":
      return { ...facts, gauges: withLimits(facts.gauges, fields(params.rateLimits)) };
  }
  if (subagent !== undefined && method === "thread/status/changed")
    return withSubagent(facts, threadId, subagent.name, fields(params.status).type === "active");
  if (isOurs || subagent !== undefined) facts = withItems(facts, method, fields(params.item));
  return isOurs ? withOurs(facts, method, params, at) : facts;
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
