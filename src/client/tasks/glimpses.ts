// What running sessions show and how they stand in figures. Only true for the moment, so it is kept outside the
// query cache and outside the board's own rendering.

import type { Gauges } from "../../contract.ts";
import { api, unwrap } from "../shared/api/client.ts";
import { createStore, useStore } from "../shared/stores/store.ts";

interface Glimpse {
  sessionId: string;
  /** The last lines of its screen. */
  lines: readonly string[];
  gauges: Gauges | null;
}

/** By task. */
const glimpses = createStore<ReadonlyMap<string, Glimpse>>(new Map());

const NO_LINES: readonly string[] = [];

export const useLines = (taskId: string, sessionId: string | null) =>
  useStore(glimpses, (all) => ofSession(all.get(taskId), sessionId)?.lines ?? NO_LINES);

export const useGauges = (taskId: string, sessionId: string | null) =>
  useStore(glimpses, (all) => ofSession(all.get(taskId), sessionId)?.gauges ?? null);

const ofSession = (glimpse: Glimpse | undefined, sessionId: string | null) =>
  glimpse?.sessionId === sessionId ? glimpse : undefined;

/** Lines and figures are told apart. */
type News = Pick<Glimpse, "sessionId"> & Partial<Glimpse>;

/** Heard, and not shown yet: those of many sessions are shown together. */
const heard = new Map<string, News>();
const TOGETHER_MS = 200;

/** Heard since all were asked for: the answer may be older. */
let sinceAsked = new Map<string, News>();

interface SessionEvent {
  taskId?: string;
  sessionId?: string;
  lines?: string[];
  gauges?: Gauges;
}

/** One `session` event. Those of bells show nothing on the board. */
export function heardOfSession({ taskId, sessionId, lines, gauges }: SessionEvent) {
  if (taskId === undefined || sessionId === undefined || (lines ?? gauges) === undefined) return;
  if (heard.size === 0) setTimeout(showHeard, TOGETHER_MS);
  const news = { sessionId, ...(lines && { lines }), ...(gauges && { gauges }) };
  for (const known of [heard, sinceAsked]) known.set(taskId, joined(known.get(taskId), news));
}

const joined = (known: News | undefined, news: News): News =>
  known?.sessionId === news.sessionId ? { ...known, ...news } : news;

function withNews(all: ReadonlyMap<string, Glimpse>, news: ReadonlyMap<string, News>) {
  const now = new Map(all);
  for (const [taskId, latest] of news) {
    now.set(taskId, { lines: NO_LINES, gauges: null, ...joined(now.get(taskId), latest) });
  }
  return now;
}

function showHeard() {
  glimpses.set((all) => withNews(all, heard));
  heard.clear();
}

/** Whoever was away has missed some: they are told only once. */
export async function fetchGlimpses(): Promise<void> {
  const meanwhile = new Map<string, News>();
  sinceAsked = meanwhile;
  const rows = await unwrap(api.sessions.get());
  if (sinceAsked !== meanwhile) return; // asked again by now
  const now = new Map<string, Glimpse>();
  for (const { kind, id, taskId, lines, gauges } of rows) {
    if (kind === "agent" && id !== null) now.set(taskId, { sessionId: id, lines, gauges });
  }
  glimpses.set(withNews(now, meanwhile));
}
