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

/** For an address that has an answer to an ordinary request too. Other upgrades on offer are left alone, as HTTP allows. */
export const asksForWebSocket = ({ method, headers }: Request) =>
  method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket";

/**
 * Upgrades inside an ordinary GET route, so that the door, the schema and the document treat a socket
 * like any request, and hands Bun's own socket to the handlers. Elysia's dispatcher calls whatever lies
 * in a socket's data; its `.ws()` puts handlers there that parse text ("007" becomes 7) and turn bytes
 * into JSON, which a terminal must not have.
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
 * The subprotocol of the request that is spoken here; undefined when it asks for none. To one that asks
 * for others only, Bun would promise the first of them.
 */
export function chooseProtocol(request: Request, spoken: string): string | undefined {
  const offered = request.headers.get("sec-websocket-protocol");
  if (offered === null) return undefined;
  if (offered.split(",").some((name) => name.trim() === spoken)) return spoken;
  throw new DomainError("invalid", `Ask for the subprotocol ${spoken}, or for none.`);
}

/** What holds for every socket. */
export const socketSettings = (log: Log) => ({
  maxPayloadLength: MAX_INPUT,
  /**
   * Never reached: a host is not read while anything is queued, and one chunk with a snapshot is far less; whoever hears
   * of changes is cut off long before.
   */
  backpressureLimit: 67_108_864,
  /** Signs of life are our own business, see sessions/viewers/patience.ts. */
  idleTimeout: 0,
  sendPings: false,
  perMessageDeflate: false,
  error(error: Error, ws: Raw) {
    log.error("a socket's handler failed", error);
    ws.close(1011, "Something went wrong inside banto. See its log.");
  },
});
