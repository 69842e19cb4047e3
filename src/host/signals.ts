// Receives what the program reports about itself apart from the terminal: it posts to a port of this host, on loopback
// and with a secret, or writes a file. The host keeps the newest of each kind and passes it on, without knowing what it
// means.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { type FSWatcher, mkdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Signal, SignalEvent, SignalsNow } from "./protocol/messages.ts";
import type { SignalSpec } from "./protocol/spec.ts";

const NAME = /^\/(tell|ask)\/([A-Za-z][\w-]{0,63})$/;
const MAX_NAMES = 64;
const MAX_ASKS = 32;
/** A longer body is left out. */
const MAX_BODY = 1_048_576;
const MAX_REQUEST = 268_435_456;
/** For clients that have not identified themselves, or were refused. */
const STRANGER_S = 10;
const NOTHING = () => new Response(null, { status: 200 });

export function createSignals({ file, template, drop }: SignalSpec, tell: (event: SignalEvent) => void) {
  const secret = randomBytes(32).toString("hex");
  const expected = Buffer.from(`Bearer ${secret}`);
  const latest = new Map<string, Signal>();
  const open = new Map<string, { signal: Signal; respond(body: string | null): void }>();
  let serial = 0;

  function record(name: string, text: string, ask?: string): Signal {
    serial += 1;
    const body = text.length > MAX_BODY ? null : text;
    const signal = { name, at: Date.now(), serial, body, ...(ask !== undefined && { ask }) };
    latest.delete(name); // keeps the map in order of arrival
    if (latest.size < MAX_NAMES) latest.set(name, signal);
    tell({ type: "signal", signal });
    return signal;
  }

  function end(ask: string, how: "answered" | "withdrawn", body: string | null): boolean {
    const held = open.get(ask);
    if (held === undefined) return false;
    open.delete(ask);
    held.respond(body);
    tell({ type: "over", ask, how });
    return true;
  }

  function hold(name: string, text: string, gone: AbortSignal): Promise<Response> | Response {
    if (open.size >= MAX_ASKS) return NOTHING();
    const ask = crypto.randomUUID();
    const answer = new Promise<Response>((resolve) => {
      const respond = (body: string | null) => resolve(body === null ? NOTHING() : json(body));
      open.set(ask, { signal: record(name, text, ask), respond });
    });
    gone.addEventListener("abort", () => end(ask, "withdrawn", null));
    return answer;
  }

  const isAllowed = (given: string | null) => {
    const bytes = Buffer.from(given ?? "");
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: STRANGER_S,
    maxRequestBodySize: MAX_REQUEST,
    async fetch(request, server) {
      if (!isAllowed(request.headers.get("authorization"))) return new Response(null, { status: 403 });
      const [, kind, name = ""] = NAME.exec(new URL(request.url).pathname) ?? [];
      if (request.method !== "POST" || kind === undefined) return new Response(null, { status: 404 });
      server.timeout(request, 0); // an answer may take days
      const text = await request.text();
      if (kind === "ask") return hold(name, text, request.signal);
      record(name, text);
      return NOTHING();
    },
    error: NOTHING, // a failure here must not affect the program
  });

  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const filled = template.replaceAll("@PORT@", String(server.port)).replaceAll("@SECRET@", secret);
  writeFileSync(file, filled, { mode: 0o600 });
  const dropped = drop === undefined ? undefined : watchDrop(drop, (text) => record(basename(drop), text));

  return {
    now(): SignalsNow {
      dropped?.look();
      return {
        latest: [...latest.values()],
        asks: [...open.values()].map(({ signal }) => signal),
      };
    },
    /** False if nobody is waiting for it any more. Without a body, the asker is just let go. */
    answer: (ask: string, body: string | null) => end(ask, "answered", body),
    /** Checks for a file that the system didn't report. */
    look: () => dropped?.look(),
    close() {
      dropped?.close();
      void server.stop(true);
      rmSync(file, { force: true });
    },
  };
}

const json = (body: string) => new Response(body, { headers: { "content-type": "application/json" } });

/** Reports the content of a file whenever it has been replaced. */
function watchDrop(path: string, tell: (text: string) => void) {
  let seen = "";
  const look = () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.size > MAX_BODY) return;
    const stamp = `${found.ino}/${found.mtimeMs}/${found.size}`;
    if (stamp === seen) return;
    seen = stamp;
    try {
      tell(readFileSync(path, "utf8"));
    } catch {
      seen = ""; // it is being replaced right now; the next look gets it
    }
  };
  const name = basename(path);
  const watcher = watchFolder(dirname(path), (changed) => {
    if (changed === null || changed === name) look();
  });
  return { look, close: () => watcher?.close() };
}

/** None if the system has run out of watches. Then there is only `look`. */
function watchFolder(folder: string, tell: (changed: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, (_event, changed) => tell(changed)).on("error", () => {});
  } catch {
    return undefined;
  }
}
