// A WebSocket client of which every byte is under control: it can stop reading, answer no ping, or vanish.
import { connect, type Socket } from "node:net";
import type { TestServer } from "./server.ts";
import { createSpotter } from "./spotter.ts";

export class RawViewer implements Disposable {
  /** Bytes received in all, frames and headers included. */
  received = 0;
  isClosed = false;
  readonly #payloads: Buffer[] = [];
  #rest = Buffer.alloc(0);
  readonly #waiting = new Set<() => void>();

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.received += chunk.length;
      this.#parse(chunk);
      for (const look of this.#waiting) look();
    });
    socket.on("close", () => {
      this.isClosed = true;
      for (const look of this.#waiting) look();
    });
    socket.on("error", () => socket.destroy());
  }

  static open(server: TestServer, path: string): Promise<RawViewer> {
    return RawViewer.connect(server.port, `/api/tasks/${path}/terminal`, [
      `Authorization: Bearer ${server.token}`,
    ]);
  }

  static connect(port: number, path: string, headers: string[] = []): Promise<RawViewer> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      const lines = [
        `GET ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        ...headers,
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      socket.once("error", reject);
      socket.once("data", (chunk: Buffer) => {
        const end = chunk.indexOf("\r\n\r\n") + 4;
        if (!chunk.toString("latin1").startsWith("HTTP/1.1 101 ")) {
          reject(new Error(chunk.toString("latin1", 0, 200)));
        } else {
          socket.off("error", reject);
          const viewer = new RawViewer(socket);
          viewer.#parse(chunk.subarray(end));
          resolve(viewer);
        }
      });
    });
  }

  /** Server frames are not masked; only what they carry is kept. */
  #parse(chunk: Buffer) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const short = (this.#rest[1] ?? 0) & 127;
      const header = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (this.#rest.length < header) return;
      const length =
        short === 126
          ? this.#rest.readUInt16BE(2)
          : short === 127
            ? Number(this.#rest.readBigUInt64BE(2))
            : short;
      if (this.#rest.length < header + length) return;
      const opcode = (this.#rest[0] ?? 0) & 15;
      if (opcode === 8) this.closeCode = this.#rest.readUInt16BE(header);
      if (opcode === 2) this.#payloads.push(this.#rest.subarray(header, header + length));
      this.#rest = this.#rest.subarray(header + length);
    }
  }

  closeCode: number | undefined;
  bytes = () => Buffer.concat(this.#payloads);

  /** Resolves once this text has come by. */
  sees(text: string): Promise<void> {
    const spotter = createSpotter(text);
    let looked = 0;
    return this.when(() => {
      const fresh = this.#payloads.slice(looked);
      looked = this.#payloads.length;
      return fresh.some((payload) => spotter.feed(payload));
    }, text);
  }

  /** Reads nothing any more, as a browser on a dead network. */
  stall = () => void this.socket.pause();
  resume = () => void this.socket.resume();

  /** Sends one binary frame, however large. */
  send(payload: Uint8Array) {
    const header = Buffer.alloc(14);
    header[0] = 0x82;
    header[1] = 0x80 | 127;
    header.writeBigUInt64BE(BigInt(payload.length), 2);
    // A mask of zeros leaves the payload as it is.
    this.socket.write(header);
    this.socket.write(payload);
  }

  /** How much of what was sent is still here, because the server does not read it. */
  unsent = () => this.socket.writableLength;

  when(holds: (viewer: RawViewer) => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`never came: ${what}`)), 40_000);
    const look = () => {
      if (!holds(this)) return;
      clearTimeout(timer);
      this.#waiting.delete(look);
      resolve();
    };
    this.#waiting.add(look);
    look();
    return promise;
  }

  [Symbol.dispose]() {
    this.socket.destroy();
  }
}
