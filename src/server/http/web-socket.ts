import type { Server, ServerWebSocket } from "bun";
import { DomainError } from "../errors.ts";
import { MAX_INPUT } from "../hosts/connection.ts";
import type { Log } from "../log.ts";

type Raw = ServerWebSocket<unknown>;

export interface SocketHandlers {
  open(ws: Raw): void;
  message?(ws: Raw, message: string | Uint8Array): void;
  drain?(ws: Raw): void;
  pong?(ws: Raw): void;
  ping?(ws: Raw): void;
  close(ws: Raw): void;
}

/** For addresses that answer ordinary requests as well. Other kinds of upgrades are ignored, as HTTP allows. */
export const asksForWebSocket = ({ method, headers }: Request) =>
  method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket";

/**
 * Upgrades inside an ordinary GET route, so that door, schema and document treat a socket like any request, and passes
 * Bun's own socket to the handlers. Elysia's dispatcher calls the handlers in a socket's data. Its own `.ws()` puts
 * some there that parse text ("007" becomes 7) and turn bytes into JSON, which would break a terminal.
 */
export function upgrade(
  request: Request,
  server: unknown,
  protocol: string | undefined,
  handlers: SocketHandlers,
): void {
  const headers: Record<string, string> =
    protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
  if ((server as Server<SocketHandlers> | null)?.upgrade(request, { headers, data: handlers })) return;
  throw new DomainError("malformed", "This address is a WebSocket; open it with a WebSocket client.");
}

/**
 * The supported subprotocol, if the request asks for it; undefined if it asks for none. If it asks only for others, Bun
 * would agree to the first of them, so that is refused.
 */
export function chooseProtocol(request: Request, spoken: string): string | undefined {
  const offered = request.headers.get("sec-websocket-protocol");
  if (offered === null) return undefined;
  if (offered.split(",").some((name) => name.trim() === spoken)) return spoken;
  throw new DomainError("invalid", `Ask for the subprotocol ${spoken}, or for none.`);
}

/** Settings for all sockets. */
export const socketSettings = (log: Log) => ({
  maxPayloadLength: MAX_INPUT,
  /**
   * Never reached: a host is not read while anything is queued, and a chunk with a snapshot is far smaller. Listeners
   * for events are cut off long before.
   */
  backpressureLimit: 67_108_864,
  /** We send pings ourselves; see sessions/viewers/patience.ts. */
  idleTimeout: 0,
  sendPings: false,
  perMessageDeflate: false,
  error(error: Error, ws: Raw) {
    log.error("a socket's handler failed", error);
    ws.close(1011, "Something went wrong inside banto. See its log.");
  },
});
