import { t } from "elysia";
import type { Logins } from "../auth/logins.ts";
import type { BoardEvent, Events } from "../events.ts";
import type { Door } from "../http/door.ts";
import { resource } from "../http/resource.ts";

const PING_MS = 10_000;
/** A client this many bytes behind is cut off; it comes back and asks for what it missed. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

interface EventParts {
  events: Events;
  logins: Pick<Logins, "onSignOut">;
  door: Pick<Door, "admission">;
}

export const eventRoutes = ({ events, logins, door }: EventParts) =>
  resource("/api/events").get(
    "",
    ({ request, headers, query }) => {
      const after = headers["last-event-id"] ?? query.after;
      const listener = { after, isWelcome: door.admission(request), onSignOut: logins.onSignOut };
      // A stream that nobody will read would listen for ever.
      return new Response(request.method === "HEAD" ? null : eventStream(events, listener), {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      });
    },
    {
      headers: t.Object({ "last-event-id": t.Optional(t.String()) }),
      query: t.Object({ after: t.Optional(t.String()) }),
      detail: { description: "Server-sent events" },
    },
  );

interface Listener {
  /** The last event it has. */
  after: string | undefined;
  /** A stream outlives its request, and may outlive the login that let it in. */
  isWelcome(): boolean;
  onSignOut: Logins["onSignOut"];
}

/** `reset` first when the client must fetch everything anew, then every change; `ping` shows that the line is alive. */
function eventStream(events: Events, listener: Listener): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          stop();
          controller.close();
        };
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) <= 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        send(greeting(events, listener.after));
        const unsubscribe = events.subscribe((event) => send(format(event)));
        const ping = setInterval(
          () => (listener.isWelcome() ? send("event: ping\ndata: {}\n\n") : end()),
          PING_MS,
        );
        const stopListening = listener.onSignOut(() => listener.isWelcome() || end());
        stop = () => {
          clearInterval(ping);
          unsubscribe();
          stopListening();
        };
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_QUEUED_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/** What the client missed, or a reset where that is not known any more or is more than a client may queue. */
function greeting(events: Events, lastId: string | undefined): string {
  const missed = lastId === undefined ? undefined : events.since(lastId);
  const replay = missed && `: welcome back\n\n${missed.map(format).join("")}`;
  if (replay !== undefined && Buffer.byteLength(replay) < MAX_QUEUED_BYTES) return replay;
  return `event: reset\nid: ${events.lastId()}\ndata: {}\n\n`;
}

const format = ({ id, type, row }: BoardEvent) =>
  `event: ${type}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(row)}\n\n`;
