import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EventReader, type EventWay } from "./events.ts";
import { ownPort } from "./own-port.ts";
import { endProcesses } from "./processes.ts";
import { environment, SHIPPED_SERVER } from "./program.ts";
import { type RunningServer, runServerHere, SERVER_COMMAND, spawnServer } from "./running-server.ts";
import { type TempDir, tempDir } from "./temp.ts";

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface RequestOptions {
  /** Sent as JSON, unless it is bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Leaves the bearer token out. */
  anonymous?: boolean;
}

/** How it runs: inside the test's process, or as a command, which `wrapper` starts. */
type Way = { command: string[]; wrapper: string[] } | "here";

/** The same for all servers inside this process, one after the other: what a browser compiled is kept by address. */
let portHere: number | undefined;

/** A server on a port of its own, with a home and a data directory of its own. */
export class TestServer implements AsyncDisposable {
  url = "";
  loginLink = "";
  /** Everything it printed so far, over all its starts. */
  output = "";
  #running: RunningServer | undefined;

  private constructor(
    private readonly temp: TempDir,
    private readonly env: Record<string, string>,
    private readonly way: Way,
  ) {}

  /** A process of its own; `wrapper`: a command that ends by running the one after it. */
  static start(env: Record<string, string> = {}, wrapper: string[] = []): Promise<TestServer> {
    return TestServer.create(env, { command: SERVER_COMMAND, wrapper });
  }

  /** The same with everything that users get: the spare host, the word at the end, the exit codes. */
  static startShipped(env: Record<string, string> = {}, wrapper: string[] = []): Promise<TestServer> {
    return TestServer.create(env, { command: SHIPPED_SERVER, wrapper });
  }

  /** Inside this process, which costs a tenth, for tests that don't kill it; there can be one at a time. */
  static startHere(env: Record<string, string> = {}): Promise<TestServer> {
    return TestServer.create(env, "here");
  }

  private static async create(env: Record<string, string>, way: Way): Promise<TestServer> {
    const temp = tempDir("server");
    if (way === "here") portHere ??= ownPort();
    const port = way === "here" ? portHere : ownPort();
    const server = new TestServer(temp, environment(temp.path, { BANTO_PORT: String(port), ...env }), way);
    try {
      await server.boot();
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  get home(): string {
    return this.temp.path;
  }

  get dataDir(): string {
    return this.env.BANTO_DATA_DIR ?? "";
  }

  /** A file of its data, also where that lies on a disk which only the server sees. */
  inData(name: string): string {
    const root = this.way !== "here" && this.way.wrapper.length > 0 ? `/proc/${this.pid}/root` : "/";
    return join(root, this.dataDir, name);
  }

  get database(): string {
    return join(this.dataDir, "banto.db");
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get token(): string {
    return readFileSync(this.inData("token"), "utf8").trim();
  }

  get pid(): number {
    if (this.#running?.pid === undefined) throw new Error("the server is no process of its own");
    return this.#running.pid;
  }

  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const { body, headers, anonymous } = options;
    const isJson = body !== undefined && !(body instanceof Uint8Array) && !(body instanceof ReadableStream);
    const response = await fetch(this.url + path.replace(/^\//, ""), {
      method,
      redirect: "manual",
      headers: {
        ...(!anonymous && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>) }),
    });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const parsed = type.includes("json") && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: parsed as T };
  }

  get = <T>(path: string, options?: RequestOptions) => this.request<T>("GET", path, options);
  post = <T>(path: string, body?: unknown) => this.request<T>("POST", path, { body });
  patch = <T>(path: string, body: unknown) => this.request<T>("PATCH", path, { body });
  delete = <T>(path: string) => this.request<T>("DELETE", path);

  /** Listens to the board; `lastEventId` as a browser sends it when it comes back. */
  events = (lastEventId?: string, way: EventWay = "stream") =>
    EventReader.open(way, `${this.url}api/events`, { authorization: `Bearer ${this.token}` }, lastEventId);

  /** Sends the signal and waits for the end; gives the exit code, null after a signal's death. */
  async kill(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null> {
    const running = this.#running;
    this.#running = undefined;
    return (await running?.kill(signal)) ?? null;
  }

  /** Renames its data directory while it does not run. */
  moveData(name: string): void {
    const before = this.dataDir;
    this.use(join(this.home, name));
    renameSync(before, this.dataDir);
  }

  /** From its next start on. */
  use(dataDir: string): void {
    this.env.BANTO_DATA_DIR = dataDir;
  }

  /** From its next start on; a server inside this process has the machine's clock. */
  setClockAhead(ms: number): void {
    this.env.BANTO_TEST_CLOCK_AHEAD = String(ms);
  }

  async restartWith(argument: "--go-on-here"): Promise<void> {
    const { way } = this;
    if (way === "here") throw new Error("only a process of its own takes arguments");
    way.command = [...way.command, argument];
    await this.restart();
    way.command = way.command.slice(0, -1);
  }

  /** Starts it again on the same data and at the same address. */
  async restart(extra: Record<string, string> = {}): Promise<void> {
    await this.kill("SIGTERM");
    await this.boot(extra);
  }

  /** From now on it tells every step that it takes, and dies of SIGKILL at this one, by its name or its number. */
  async arm(fatalStep: string | number): Promise<void> {
    writeFileSync(this.inData("fatal-step"), String(fatalStep));
    const before = this.output.length;
    this.#running?.arm?.();
    while (!this.output.slice(before).includes("armed\n")) await Bun.sleep(1);
  }

  private async boot(extra: Record<string, string> = {}): Promise<void> {
    const env = { ...this.env, ...extra };
    const print = (text: string) => {
      this.output += text;
    };
    const { way } = this;
    this.#running =
      way === "here"
        ? await runServerHere(env, print)
        : await spawnServer([...way.wrapper, ...way.command], env, print);
    this.url = this.#running.url;
    this.loginLink = this.#running.loginLink;
  }

  /** Session hosts outlive the server: they end here. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill(this.way === "here" ? "SIGTERM" : "SIGKILL");
    await endProcesses(this.temp.path);
    this.temp[Symbol.dispose]();
  }
}
