// The last lines and the figures of running sessions. They change all the time, so they are kept out of the query cache
// and don't rerender the board.

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

/** Lines and figures come in separate events. */
type Update = Pick<Glimpse, "sessionId"> & Partial<Glimpse>;

/** By task, not shown yet: updates of all sessions are shown together. */
const waiting = new Map<string, Update>();
const TOGETHER_MS = 200;

/** Updates since the last fetch began: its answer may be older than they are. */
let sinceFetch = new Map<string, Update>();

interface SessionEvent {
  taskId?: string;
  sessionId?: string;
  lines?: string[];
  gauges?: Gauges;
}

/** One `session` event. Bells show nothing on the board. */
export function takeGlimpse({ taskId, sessionId, lines, gauges }: SessionEvent) {
  if (taskId === undefined || sessionId === undefined || (lines ?? gauges) === undefined) return;
  if (waiting.size === 0) setTimeout(showWaiting, TOGETHER_MS);
  const update = { sessionId, ...(lines && { lines }), ...(gauges && { gauges }) };
  for (const updates of [waiting, sinceFetch]) updates.set(taskId, merge(updates.get(taskId), update));
}

const merge = (known: Update | undefined, update: Update): Update =>
  known?.sessionId === update.sessionId ? { ...known, ...update } : update;

function withUpdates(all: ReadonlyMap<string, Glimpse>, updates: ReadonlyMap<string, Update>) {
  const now = new Map(all);
  for (const [taskId, update] of updates) {
    now.set(taskId, { lines: NO_LINES, gauges: null, ...merge(now.get(taskId), update) });
  }
  return now;
}

function showWaiting() {
  glimpses.set((all) => withUpdates(all, waiting));
  waiting.clear();
}

export async function fetchGlimpses(): Promise<void> {
  const meanwhile = new Map<string, Update>();
  sinceFetch = meanwhile;
  const rows = await unwrap(api.sessions.get());
  if (sinceFetch !== meanwhile) return; // asked again by now
  const now = new Map<string, Glimpse>();
  for (const { kind, id, taskId, lines, gauges } of rows) {
    if (kind === "agent" && id !== null) now.set(taskId, { sessionId: id, lines, gauges });
  }
  glimpses.set(withUpdates(now, meanwhile));
}
