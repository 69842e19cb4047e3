// What the terminals of running sessions show, in their last lines. Only true for the moment, so it is kept
// outside the query cache and outside the board's own rendering.

import { createStore, useStore } from "../state/store.ts";
import { api, unwrap } from "./client.ts";

export interface Glimpse {
  sessionId: string;
  lines: readonly string[];
}

/** By task. */
const glimpses = createStore<ReadonlyMap<string, Glimpse>>(new Map());

export const useGlimpse = (taskId: string) => useStore(glimpses, (all) => all.get(taskId));

/** Heard, and not shown yet: those of many sessions are shown together. */
const heard = new Map<string, Glimpse>();
const TOGETHER_MS = 200;

/** One `session` event. Those of bells show nothing on the board. */
export function heardOfSession(event: { taskId?: string; sessionId?: string; lines?: string[] }) {
  const { taskId, sessionId, lines } = event;
  if (taskId === undefined || sessionId === undefined || lines === undefined) return;
  if (heard.size === 0) setTimeout(showHeard, TOGETHER_MS);
  heard.set(taskId, { sessionId, lines });
}

function showHeard() {
  glimpses.set((all) => new Map([...all, ...heard]));
  heard.clear();
}

/** Whoever was away has missed some: they are told only once. */
export async function fetchGlimpses(): Promise<void> {
  const rows = await unwrap(api.sessions.get());
  const now = new Map<string, Glimpse>();
  for (const { kind, id, taskId, lines } of rows) {
    if (kind === "agent" && id !== null) now.set(taskId, { sessionId: id, lines });
  }
  glimpses.set(new Map([...now, ...heard]));
}
