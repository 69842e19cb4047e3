// A WebSocket client of a terminal that writes down what it is sent and can be asked to wait.
import type { ClientControl, ServerControl } from "../../src/contract.ts";
import { TERMINAL_PROTOCOL } from "../../src/contract.ts";
import type { TestServer } from "./server.ts";

const PATIENCE_MS = 30_000;

type Control<T extends ServerControl["type"]> = Extract<ServerControl, { type: T }>;

interface ViewOptions {
  /** Without the subprotocol. */
  plain?: boolean;
  query?: Record<string, number>;
  headers?: Record<string, string>;
  /** For those who look at every chunk themselves; nothing is kept then. */
  onBytes?(bytes: Uint8Array): void;
}

export class TestViewer implements Disposable {
  readonly controls: ServerControl[] = [];
  /** In the order of arrival: types of control messages, and "bytes". */
  readonly order: string[] = [];
  /** Where the next byte of output belongs, counted as the documentation says. */
  offset = 0;
  closed: { code: number; reason: string } | undefined;
  #snapshotLeft = 0;
  readonly #parts: Buffer[] = [];
  readonly #waiting = new Set<() => void>();

  private constructor(
    readonly socket: WebSocket,
    private readonly options: ViewOptions,
  ) {
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#observe(JSON.parse(data));
      else this.#show(new Uint8Array(data as ArrayBuffer));
    };
    socket.onclose = ({ code, reason }) => {
      this.closed = { code, reason };
      this.#arrived("close");
    };
  }

  /** Opens a task's terminal; `path` may name a shell's instead. Does not wait for anything. */
  static open(server: TestServer, path: string, options: ViewOptions = {}): TestViewer {
    const query = new URLSearchParams(
      Object.entries(options.query ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const url = `${server.url.replace(/^http/, "ws")}api/tasks/${path}/terminal?${query}`;
    return TestViewer.connect(url, {
      ...options,
      headers: { authorization: `Bearer ${server.token}`, ...options.headers },
    });
  }

  static connect(url: string, options: ViewOptions = {}): TestViewer {
    const socket = new WebSocket(url, {
      headers: options.headers ?? {},
      perMessageDeflate: false,
      ...(!options.plain && { protocols: [TERMINAL_PROTOCOL] }),
    } as never);
    return new TestViewer(socket, options);
  }

  #observe(message: ServerControl) {
    this.controls.push(message);
    if (message.type === "hello" || message.type === "resync") {
      this.offset = message.offset;
      this.#snapshotLeft = message.snapshotBytes;
    }
    this.#arrived(message.type);
  }

  #show(bytes: Uint8Array) {
    const ofSnapshot = Math.min(this.#snapshotLeft, bytes.length);
    this.#snapshotLeft -= ofSnapshot;
    this.offset += bytes.length - ofSnapshot;
    if (this.options.onBytes === undefined) this.#parts.push(Buffer.from(bytes));
    else this.options.onBytes(bytes);
    this.#arrived("bytes");
  }

  #arrived(what: string) {
    if (this.order.at(-1) !== what) this.order.push(what);
    for (const look of this.#waiting) look();
  }

  /** Resolves as soon as it holds; looked at whenever something arrives. */
  when(holds: (viewer: TestViewer) => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (!holds(this)) return;
      clearTimeout(timer);
      this.#waiting.delete(look);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(look);
      const seen = JSON.stringify({
        order: this.order.slice(-20),
        text: this.text().slice(-300),
        closed: this.closed,
      });
      reject(new Error(`never came: ${what}; ${seen}`));
    }, PATIENCE_MS);
    this.#waiting.add(look);
    look();
    return promise;
  }

  async expectClose(code: number): Promise<string> {
    await this.when(({ closed }) => closed !== undefined, `a close with ${code}`);
    if (this.closed?.code !== code) {
      throw new Error(`closed with ${this.closed?.code} (${this.closed?.reason}), not ${code}`);
    }
    return this.closed.reason;
  }

  sees = (text: string) => this.when((viewer) => viewer.text().includes(text), JSON.stringify(text));

  /** The first control message of a type, now or as soon as it comes. */
  async control<T extends ServerControl["type"]>(type: T): Promise<Control<T>> {
    const find = () => this.controls.find((message): message is Control<T> => message.type === type);
    await this.when(() => find() !== undefined, type);
    return find() as Control<T>;
  }

  live = () => this.control("live");
  opened = () =>
    new Promise<void>((resolve, reject) => {
      if (this.socket.readyState === WebSocket.OPEN) resolve();
      this.socket.addEventListener("open", () => resolve());
      this.socket.addEventListener("close", ({ code }) => reject(new Error(`closed with ${code}`)));
    });

  bytes = () => Buffer.concat(this.#parts);
  text = () => this.bytes().toString();

  /** As typed on a keyboard, in a binary frame. */
  type(input: string | Uint8Array) {
    this.socket.send(Buffer.from(input as string));
  }

  sendText = (text: string) => this.socket.send(text);
  say = (message: ClientControl) => this.socket.send(JSON.stringify(message));

  [Symbol.dispose]() {
    this.socket.close();
  }
}
