// Whoever hears of every change, over whatever line: greeted with what it missed, told all that follows, and let go
// when it has signed out or fallen too far behind.
import { CLOSE, type EventMessage } from "../../contract.ts";
import type { Logins } from "../auth/logins.ts";
import type { Events } from "./events.ts";

const PING_MS = 10_000;
/** A client this many bytes behind is cut off; it comes back and asks for what it missed. */
export const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export interface Listener {
  /** The last event it has. */
  after: string | undefined;
  /** A line outlives its request, and may outlive the login that let it in. */
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

/** `reset` first when the client must fetch everything anew, then every change. Gives the way to stop. */
export function listen(events: Events, { after, isWelcome, onSignOut }: Listener, line: Line): () => void {
  const end = (code: number, reason: string) => {
    stop();
    line.end(code, reason);
  };
  const tell = (message: EventMessage) => {
    if (line.queued() < MAX_QUEUED_BYTES) line.send(line.format(message));
    else end(CLOSE.tooSlow, "More was waiting for you than is kept.");
  };
  const checkLogin = () => {
    const isStill = isWelcome();
    if (!isStill) end(CLOSE.signedOut, "You have signed out.");
    return isStill;
  };
  for (const text of greeting(events, after, line.format)) line.send(text);
  const unsubscribe = events.subscribe(tell);
  const stopWatching = onSignOut(checkLogin);
  // Shows that the line is alive. A login may also run out, or be ended in the database.
  const ping = setInterval(() => checkLogin() && tell({ type: "ping" }), PING_MS);
  const stop = () => {
    clearInterval(ping);
    unsubscribe();
    stopWatching();
  };
  return stop;
}

/** What the client missed, or a reset where that is not known any more or is more than a client may queue. */
function greeting(events: Events, after: string | undefined, format: Line["format"]): string[] {
  const missed = after === undefined ? undefined : events.since(after)?.map((event) => format(event));
  const size = missed?.reduce((sum, text) => sum + Buffer.byteLength(text), 0) ?? 0;
  if (missed !== undefined && size < MAX_QUEUED_BYTES) return missed;
  return [format({ type: "reset", id: events.lastId() })];
}
