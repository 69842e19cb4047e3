// A client that listens for changes: it gets what it missed, then everything that follows, and is cut off when it has
// signed out or fallen too far behind.
import { CLOSE, type EventMessage } from "../../contract.ts";
import type { Logins } from "../auth/logins.ts";
import type { Events } from "./events.ts";

const PING_MS = 10_000;
/** A client this many bytes behind is cut off. It reconnects and asks for what it missed. */
export const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export interface Listener {
  /** The last event it has. */
  after: string | undefined;
  /** Whether its login is still valid: a connection outlives its request. */
  isWelcome(): boolean;
  onSignOut: Logins["onSignOut"];
}

export interface Line {
  /** How a message is written here. */
  format(message: EventMessage): string;
  send(text: string): void;
  /** Bytes that wait to be sent. */
  queued(): number;
  end(code: number, reason: string): void;
}

/**
 * Sends `reset` first if the client has to fetch everything again, then every change. Returns a function that stops.
 */
export function listen(events: Events, { after, isWelcome, onSignOut }: Listener, line: Line): () => void {
  const end = (code: number, reason: string) => {
    stop();
    line.end(code, reason);
  };
  const tell = (message: EventMessage) => {
    if (line.queued() < MAX_QUEUED_BYTES) line.send(line.format(message));
    else end(CLOSE.tooSlow, "You fell too far behind.");
  };
  const checkLogin = () => {
    const isStill = isWelcome();
    if (!isStill) end(CLOSE.signedOut, "You have signed out.");
    return isStill;
  };
  for (const text of greeting(events, after, line.format)) line.send(text);
  const unsubscribe = events.subscribe(tell);
  const stopWatching = onSignOut(checkLogin);
  // Shows that the connection is alive. Checks the login too, which may expire or be ended in the database.
  const ping = setInterval(() => checkLogin() && tell({ type: "ping" }), PING_MS);
  const stop = () => {
    clearInterval(ping);
    unsubscribe();
    stopWatching();
  };
  return stop;
}

/** What the client missed, or a reset if that is no longer kept or more than may be queued. */
function greeting(events: Events, after: string | undefined, format: Line["format"]): string[] {
  const missed = after === undefined ? undefined : events.since(after)?.map((event) => format(event));
  const size = missed?.reduce((sum, text) => sum + Buffer.byteLength(text), 0) ?? 0;
  if (missed !== undefined && size < MAX_QUEUED_BYTES) return missed;
  return [format({ type: "reset", id: events.lastId() })];
}
