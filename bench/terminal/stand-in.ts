// Stands in for server, host and program, so that the pages are measured without them: serves the page that is
// nothing but our terminal and the one that is nothing but ghostty-web, and sends both the same bytes.
import { join } from "node:path";
import type { ServerWebSocket } from "bun";
import type { ClientControl, ServerControl } from "../../src/contract.ts";
import { ACK_WINDOW } from "../../src/server/sessions/viewers/output-window.ts";
import { tempDir } from "../../test/support/temp.ts";
import { buildPage } from "../../test/support/terminal/build-page.ts";
import { quarterOf } from "./hour.ts";

const CHUNK = 65_536;
const CLEAR = "\x1b[H\x1b[2J\x1b[3J";
const flood = new TextEncoder().encode(
  `${CLEAR}${Array.from({ length: 200_000 }, (_, i) => `${i + 1}\r\n`).join("")}$ `,
);

/** A program that says what it is told, byte for byte. */
export const RAW_ECHO = ["sh", "-c", "stty raw -echo; exec cat"];

interface Line {
  key(ws: ServerWebSocket<Line>, key: string): void;
  open?(ws: ServerWebSocket<Line>): void;
  acknowledged?(ws: ServerWebSocket<Line>, offset: number): void;
  close?(): void;
}

/** A terminal with a program in it, and nothing between it and the socket. */
function bareTerminal(argv: string[], typed: (key: string) => string): Line {
  let child: Bun.Subprocess | undefined;
  return {
    open(ws) {
      child = Bun.spawn(argv, {
        env: { ...process.env, TERM: "xterm-256color", PS1: "$ " },
        terminal: { cols: 80, rows: 24, data: (_terminal, chunk) => void ws.sendBinary(chunk.slice()) },
      });
    },
    key: (_ws, key) => void child?.terminal?.write(typed(key)),
    close() {
      child?.kill("SIGKILL");
      child?.terminal?.close();
    },
  };
}

/** Speaks what our page expects; Enter brings the bytes, as far ahead as a host would send them. */
function ourTerminal(size: { cols: number; rows: number }): Line {
  let sent = 0;
  let acked = 0;
  const say = (ws: ServerWebSocket<Line>, message: ServerControl) => ws.sendText(JSON.stringify(message));
  const send = (ws: ServerWebSocket<Line>, bytes: Uint8Array<ArrayBuffer>) => {
    sent += bytes.length;
    ws.sendBinary(bytes);
  };
  let at = flood.length;
  const pump = (ws: ServerWebSocket<Line>) => {
    while (at < flood.length && sent - acked < ACK_WINDOW) {
      send(ws, flood.slice(at, at + CHUNK));
      at += CHUNK;
    }
  };
  return {
    open(ws) {
      say(ws, { type: "hello", viewer: 1, offset: 0, ...size, replay: "full", snapshotBytes: 0 });
      say(ws, { type: "live", offset: 0 });
    },
    key(ws, key) {
      if (key !== "\r") return send(ws, new TextEncoder().encode("\x1b[2J\x1b[H"));
      at = 0;
      pump(ws);
    },
    acknowledged(ws, offset) {
      acked = offset;
      pump(ws);
    },
  };
}

/** Enter brings the next quarter of an hour, a piece whenever the last one has been written. */
function hour(): Line {
  let quarter = -1;
  let bytes = new Uint8Array(0);
  let at = 0;
  return {
    key(ws, key) {
      if (key === "Enter") {
        quarter++;
        bytes = quarterOf(quarter);
        at = 0;
      }
      if (at >= bytes.length) ws.sendText(String(quarter));
      else ws.sendBinary(bytes.slice(at, at + CHUNK));
      at += CHUNK;
    },
  };
}

export async function standIn() {
  const [ours, alone] = [tempDir("terminal-page"), tempDir("terminal-alone")];
  await buildPage(ours.path);
  await buildPage(alone.path, join(import.meta.dir, "alone.html"));
  const sockets = new Set<ServerWebSocket<Line>>();
  /** What our page last wished for. */
  let size = { cols: 0, rows: 0 };
  const server = Bun.serve<Line>({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request, self) {
      const { pathname, searchParams } = new URL(request.url);
      if (request.headers.get("upgrade") === "websocket") {
        size = { cols: Number(searchParams.get("cols")), rows: Number(searchParams.get("rows")) };
        const lines: Record<string, () => Line> = {
          "/alone/socket": () => ({
            key(ws) {
              for (let at = 0; at < flood.length; at += CHUNK) ws.sendBinary(flood.slice(at, at + CHUNK));
            },
          }),
          "/alone/hour": hour,
          "/alone/program": () => bareTerminal(["bash", "--norc"], () => "clear; seq 1 200000\r"),
          "/alone/echo": () => bareTerminal(RAW_ECHO, (key) => key),
        };
        const line = lines[pathname]?.() ?? ourTerminal(size);
        const protocol = request.headers.get("sec-websocket-protocol");
        const headers = protocol === null ? {} : { "sec-websocket-protocol": protocol };
        return self.upgrade(request, { data: line, headers })
          ? undefined
          : new Response(null, { status: 400 });
      }
      if (pathname === "/flood") return new Response(flood);
      for (const dir of [ours.path, alone.path]) {
        const file = Bun.file(join(dir, pathname));
        if (await file.exists()) return new Response(file);
      }
      return new Response(null, { status: 204 });
    },
    websocket: {
      open(ws) {
        sockets.add(ws);
        ws.data.open?.(ws);
      },
      message(ws, message) {
        const text = String(message);
        const control = text.startsWith("{") ? (JSON.parse(text) as ClientControl) : undefined;
        if (control?.type === "ack") ws.data.acknowledged?.(ws, control.offset);
        else if (control?.type === "resize") {
          size = { cols: control.cols, rows: control.rows };
          ws.sendText(JSON.stringify({ type: "size", ...size, owner: 1 } satisfies ServerControl));
        } else ws.data.key(ws, text);
      },
      close(ws) {
        sockets.delete(ws);
        ws.data.close?.();
      },
    },
  });
  return {
    url: server.url.href,
    size: () => size,
    async [Symbol.asyncDispose]() {
      for (const ws of sockets) ws.data.close?.();
      await server.stop(true);
      ours[Symbol.dispose]();
      alone[Symbol.dispose]();
    },
  };
}
