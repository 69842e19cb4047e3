// One extra terminal of a task: its record, and a connection to its host that hears how it fares.
import { connectHost, type HostClient, type HostEvent } from "../../../host/client.ts";
import type { Status } from "../../../host/protocol.ts";
import { DomainError } from "../../errors.ts";
import { Late, STOP_LIMIT_MS, within } from "../../hosts/ask-host.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { endByForce } from "../observe/endings.ts";
import type { ShellRecord } from "./shell-files.ts";

export type ShellRow = ShellRecord &
  Pick<Status, "title" | "cols" | "rows" | "pid" | "startedAt" | "viewers" | "exit"> & { bytes: number };

const ANSWER_MS = 1_000;
/** A host that is done still waits for a viewer who reads slowly; nobody else has to. */
const FAREWELL_MS = 1_000;
/** A program may set its title at every turn of a spinner. */
const TITLE_INTERVAL_MS = 1_000;

export class Shell {
  record: ShellRecord;
  readonly #claim: string;
  readonly #host: HostClient;
  readonly #gone: Promise<void>;
  #known: Status;
  #stopping: Promise<void> | undefined;
  #isOver = false;

  private constructor(record: ShellRecord, claim: string, host: HostClient, gone: Promise<void>) {
    this.record = record;
    this.#claim = claim;
    this.#host = host;
    this.#gone = gone;
    this.#known = host.hello;
  }

  /** `changed` when there is something new to tell, `gone` when the host is, or the connection to it. */
  static async attach(
    record: ShellRecord,
    runDir: RunDir,
    tell: { changed(): void; gone(shell: Shell): void },
  ): Promise<Shell> {
    let timer: Timer | undefined;
    let shell: Shell | undefined;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const changed = ({ type }: HostEvent) => {
      if (type === "exit") tell.changed();
      else if (type === "title") timer ??= setTimeout(titleChanged, TITLE_INTERVAL_MS);
    };
    const titleChanged = () => {
      timer = undefined;
      tell.changed();
    };
    const closed = () => {
      clearTimeout(timer);
      if (shell !== undefined) tell.gone(shell);
      resolve();
    };
    const { socket, claim } = runDir.files(record.id);
    const host = await connectHost(socket, { event: changed, closed });
    host.subscribe();
    shell = new Shell(record, claim, host, gone);
    return shell;
  }

  /** Nothing of it runs any more, and its host was told to go. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** As the host says; as it last said, should it not answer in time. */
  async row(): Promise<ShellRow> {
    try {
      this.#known = await within(ANSWER_MS, this.#host.status());
    } catch {
      // it hangs or has just gone: what was known before is the best there is
    }
    const { title, cols, rows, pid, startedAt, viewers, exit, offset } = this.#known;
    return { ...this.record, title, cols, rows, pid, startedAt, viewers, exit, bytes: offset };
  }

  /** Ends everything it started, then the host. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    // As when a terminal's window is closed: interactive shells don't listen to the polite request that comes next.
    this.#host.signal("SIGHUP");
    let left: number[] = [];
    try {
      left = await within(STOP_LIMIT_MS, this.#host.stop());
    } catch (error) {
      if (!(error instanceof Late)) return; // the connection broke: `gone` sees to the rest
      await endByForce(this.record.id, this.#claim); // it hangs
    }
    if (left.length > 0) {
      throw new DomainError(
        "conflict",
        `Processes of this shell could not be ended (${left.join(", ")}); end them yourself and try again.`,
      );
    }
    this.#isOver = true;
    this.#host.collect();
    await within(FAREWELL_MS, this.#gone).catch(() => this.#host.close());
  }

  /** Leaves the host to itself, as when the server stops. */
  detach(): void {
    this.#host.close();
  }
}
