import { t } from "elysia";
import type { BoardEvent, Events } from "../events.ts";
import { resource } from "../http/resource.ts";

const PING_MS = 10_000;
/** A client this many bytes behind is cut off; it comes back and asks for what it missed. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

export const eventRoutes = ({ events }: { events: Events }) =>
  resource("/api/events").get(
    "",
    ({ request, headers, query }) => {
      const after = headers["last-event-id"] ?? query.after;
      // A stream that nobody will read would listen for ever.
      return new Response(request.method === "HEAD" ? null : eventStream(events, after), {
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

/** `reset` first when the client must fetch everything anew, then every change; `ping` shows that the line is alive. */
function eventStream(events: Events, lastId: string | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) <= 0) {
            stop();
            controller.close();
          } else controller.enqueue(encoder.encode(text));
        };
        send(greeting(events, lastId));
        const unsubscribe = events.subscribe((event) => send(format(event)));
        const ping = setInterval(() => send("event: ping\ndata: {}\n\n"), PING_MS);
        stop = () => {
          clearInterval(ping);
          unsubscribe();
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
