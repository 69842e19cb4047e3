// JSON-RPC with an app-server: one message in each text frame of a WebSocket over its unix socket.
import { version as bantoVersion } from "../../../../package.json" with { type: "json" };
import { fields, parseMessage, type RequestId, type ServerMessage, text } from "./protocol.ts";

export interface Connection {
  /** Codex's version. */
  version: string | null;
  request(method: string, params: unknown): Promise<Record<string, unknown>>;
  respond(id: RequestId, result: unknown): void;
  /** Settles when the server has gone. */
  closed: Promise<void>;
  close(): void;
}

const ANSWER_MS = 10_000;

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** Rejects if nobody listens there. What is told from then on goes to `hear`, also while this is still connecting. */
export async function connectTo(socket: string, hear: (message: ServerMessage) => void): Promise<Connection> {
  const waiting = new Map<RequestId, Waiting>();
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  const { promise: opened, resolve: onOpen, reject: onFailure } = Promise.withResolvers<void>();
  let lastId = 0;
  const ws = new WebSocket(`ws+unix://${socket}`);
  ws.onopen = () => onOpen();
  ws.onclose = () => {
    onFailure(new Error("nobody listens there"));
    for (const { reject } of waiting.values()) reject(new Error("the connection broke"));
    waiting.clear();
    onClosed();
  };
  ws.onmessage = ({ data }) => receive(String(data));

  function receive(frame: string) {
    const body = parse(frame);
    const message = parseMessage(body);
    if (message !== undefined) return hear(message);
    const { id, result, error } = fields(body);
    const asked = waiting.get(id as RequestId);
    waiting.delete(id as RequestId);
    if (error === undefined) asked?.resolve(fields(result));
    else asked?.reject(new Error(text(fields(error).message) || "no reason was given"));
  }

  const send = (message: object) => ws.send(JSON.stringify(message));

  function request(method: string, params: unknown): Promise<Record<string, unknown>> {
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    const id = ++lastId;
    const timer = setTimeout(() => reject(new Error("no answer came")), ANSWER_MS);
    waiting.set(id, { resolve, reject });
    if (ws.readyState === WebSocket.OPEN) send({ id, method, params });
    else reject(new Error("the connection broke"));
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(id);
    });
  }

  await opened;
  const clientInfo = { name: "banto", title: "banto", version: bantoVersion };
  const { userAgent } = await request("initialize", {
    clientInfo,
    capabilities: { experimentalApi: true },
  });
  send({ method: "initialized" });
  return {
    version: /\/(\d+\.\d+\.\d+)/.exec(text(userAgent))?.[1] ?? null,
    request,
    respond: (id, result) => send({ id, result }),
    closed,
    close: () => ws.close(),
  };
}

function parse(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}
