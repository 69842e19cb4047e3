// One extra terminal of a task: its record, and a watcher of its host.

import { DomainError } from "../../errors.ts";
import { type HostEvent, type HostStatus, within } from "../../hosts/connection.ts";
import { HostWatcher } from "../../hosts/host-watcher.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { type ShellRecord, shellAge } from "./shell-files.ts";

export type ShellRow = ShellRecord &
  Pick<HostStatus, "title" | "cols" | "rows" | "pid" | "startedAt" | "viewers" | "exit"> & { bytes: number };

const ANSWER_MS = 1_000;
/** A host that was being started when the server died is given so long to appear. */
const STARTING_MS = 5_000;
/** A host that lives but can't be reached for so long hangs, and its shell is ended. */
const UNREACHABLE_MS = 6_000;
/** A program may set its title at every turn of a spinner. */
const TITLE_INTERVAL_MS = 1_000;

interface ShellOptions {
  runDir: RunDir;
  /** Started by a server before this one. */
  isOld: boolean;
  /** There is something new to tell. */
  changed(): void;
  /** Its host has gone after it had been reached. */
  gone(): void;
}

export class Shell {
  record: ShellRecord;
  readonly #watcher: HostWatcher;
  readonly #changed: () => void;
  #known: HostStatus | undefined;
  #titleTimer: Timer | undefined;
  #stopping: Promise<void> | undefined;

  constructor(record: ShellRecord, { runDir, isOld, changed, gone }: ShellOptions) {
    this.record = record;
    this.#changed = changed;
    this.#watcher = new HostWatcher({
      sessionId: record.id,
      files: runDir.files(record.id),
      event: (event) => this.#observe(event),
      connected: async ({ hello }) => {
        this.#known = hello;
      },
      gone,
      isComing: () => isOld && this.#known === undefined && shellAge(runDir, record.id) < STARTING_MS,
      limitMs: UNREACHABLE_MS,
    });
  }

  /** False when there is no host to be reached. */
  open(): Promise<boolean> {
    return this.#watcher.open();
  }

  #observe({ type }: HostEvent): void {
    if (type === "exit") this.#changed();
    if (type !== "title") return;
    this.#titleTimer ??= setTimeout(() => {
      this.#titleTimer = undefined;
      this.#changed();
    }, TITLE_INTERVAL_MS);
  }

  /** As the host says; as it last said, should it not answer in time. */
  async row(): Promise<ShellRow> {
    const status = this.#watcher.host?.status();
    this.#known = (status && (await within(ANSWER_MS, status).catch(() => undefined))) ?? this.#known;
    return this.lastRow();
  }

  lastRow(): ShellRow {
    if (this.#known === undefined) throw new Error(`shell ${this.record.id} was never reached`);
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
    const left = await this.#watcher.end({ hangsUp: true });
    if (left.length > 0) {
      throw new DomainError(
        "conflict",
        `Processes of this shell could not be ended (${left.join(", ")}); end them yourself and try again.`,
      );
    }
    clearTimeout(this.#titleTimer);
    await this.#watcher.dismiss();
  }

  /** Leaves the host to itself, as when the server stops. */
  detach(): void {
    clearTimeout(this.#titleTimer);
    this.#watcher.close();
  }
}
