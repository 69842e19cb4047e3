// The two ways to receive events: server-sent events and a WebSocket. For all its tabs together, a browser allows six
// connections for requests to one server, streams included, but some two hundred WebSockets.
import type { EventMessage } from "../../contract.ts";
import { type Line, MAX_QUEUED_BYTES } from "../events/listen.ts";
import type { SocketHandlers } from "./web-socket.ts";

/** Starts sending events over a connection. Returns a function that stops. */
type Listen = (line: Line) => () => void;

export function eventStream(listen: Listen): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const queued = () => MAX_QUEUED_BYTES - (controller.desiredSize ?? 0);
        stop = listen({ format: asServerSentEvent, send, queued, end: () => controller.close() });
        if (queued() === 0) send(": welcome back\n\n"); // the response headers are sent with the first bytes
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_QUEUED_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

function asServerSentEvent(message: EventMessage): string {
  const id = "id" in message ? `id: ${message.id}\n` : "";
  const data = JSON.stringify("row" in message ? message.row : {});
  return `event: ${message.type}\n${id}data: ${data}\n\n`;
}

/** Each frame is one message as JSON. What the client sends is ignored. */
export function eventSocket(listen: Listen): SocketHandlers {
  let stop = () => {};
  return {
    open(ws) {
      stop = listen({
        format: (message) => JSON.stringify(message),
        send: (text) => void ws.sendText(text),
        queued: () => ws.getBufferedAmount(),
        end: (code, reason) => ws.close(code, reason),
      });
    },
    close: () => stop(),
  };
}
