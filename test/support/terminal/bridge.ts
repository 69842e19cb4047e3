// A page that is nothing but a terminal, in front of a real server, with a switch to cut the line.
import { join } from "node:path";
import type { Server, ServerWebSocket } from "bun";
import { type ServerControl, TERMINAL_PROTOCOL } from "../../../src/contract.ts";
import { SECURITY_HEADERS } from "../../../src/server/http/headers.ts";
import { ownPort } from "../own-port.ts";
import type { TestServer } from "../server.ts";

interface Pipe {
  upstream: WebSocket;
  early: (string | Uint8Array<ArrayBuffer>)[];
}

/** Used again by one bridge after the other: what a browser compiled is kept by address. */
const ports: number[] = [];

/** Stands between the page and the server, passes everything on, and can be cut. */
export class Bridge implements Disposable {
  readonly #server: Server<Pipe>;
  readonly #pipes = new Set<ServerWebSocket<Pipe>>();
  #isCut = false;
  /** How often the page has tried to connect, while the line was cut too. */
  attempts = 0;
  /** Control messages the page was sent. */
  readonly told: ServerControl[] = [];
  /** Everything the page sent as input. */
  readonly typed: Uint8Array[] = [];

  private readonly port = ports.pop() ?? ownPort();

  constructor(
    private readonly pageDir: string,
    private readonly upstream: TestServer,
  ) {
    this.#server = Bun.serve<Pipe>({
      port: this.port,
      hostname: "127.0.0.1",
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        maxPayloadLength: 64 * 1024 * 1024,
        open: (ws) => this.#open(ws),
        message: (ws, message) => this.#message(ws, message),
        close: (ws) => {
          this.#pipes.delete(ws);
          ws.data.upstream.close();
        },
      },
    });
  }

  page = (taskId: string) => `${this.#server.url.href}?task=${taskId}`;

  get connections(): number {
    return this.#pipes.size;
  }

  /** The line is dead until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const ws of this.#pipes) ws.terminate();
  }

  mend(): void {
    this.#isCut = false;
  }

  [Symbol.dispose](): void {
    this.cut();
    void this.#server.stop(true);
    ports.push(this.port);
  }

  async #answer(request: Request, server: Server<Pipe>): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url);
    if (request.headers.get("upgrade") === "websocket") this.attempts += 1;
    if (this.#isCut) return new Response(null, { status: 503 });
    const authorization = `Bearer ${this.upstream.token}`;
    const address = this.upstream.url.replace(/\/$/, pathname + search);
    if (request.headers.get("upgrade") === "websocket") {
      const headers = { "sec-websocket-protocol": TERMINAL_PROTOCOL };
      const upstream = new WebSocket(address.replace("http", "ws"), {
        headers: { authorization },
        protocols: [TERMINAL_PROTOCOL],
      } as never);
      upstream.binaryType = "arraybuffer";
      return server.upgrade(request, { data: { upstream, early: [] }, headers })
        ? undefined
        : new Response(null, { status: 400 });
    }
    if (pathname.startsWith("/api/")) {
      const type = request.headers.get("content-type") ?? "application/json";
      const headers = { authorization, "content-type": type };
      return fetch(address, { method: request.method, headers, body: await request.bytes() });
    }
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const file = Bun.file(join(this.pageDir, pathname === "/" ? "page.html" : pathname));
    if (!(await file.exists())) return new Response(null, { status: 404 });
    return new Response(file, { headers: SECURITY_HEADERS });
  }

  #open(ws: ServerWebSocket<Pipe>): void {
    this.#pipes.add(ws);
    const { upstream, early } = ws.data;
    upstream.onopen = () => {
      for (const message of early.splice(0)) upstream.send(message);
    };
    upstream.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") {
        this.told.push(JSON.parse(data) as ServerControl);
        ws.sendText(data);
      } else ws.sendBinary(new Uint8Array(data));
    };
    upstream.onclose = ({ code }) => ws.close(code === 1006 ? 1011 : code);
  }

  #message(
    { data: { upstream, early } }: ServerWebSocket<Pipe>,
    message: string | Buffer<ArrayBuffer>,
  ): void {
    if (typeof message !== "string") this.typed.push(message.slice());
    if (upstream.readyState === WebSocket.OPEN) upstream.send(message);
    else early.push(typeof message === "string" ? message : message.slice());
  }
}
