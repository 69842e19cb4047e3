// An extra terminal of a task: its record, and a watcher of its host.

import { existsSync } from "node:fs";
import { DomainError } from "../../errors.ts";
import { type HostEvent, type HostStatus, within } from "../../hosts/connection.ts";
import { type HostTrouble, troubleInWords } from "../../hosts/host-trouble.ts";
import { HostWatcher } from "../../hosts/host-watcher.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { type ShellRecord, shellAge } from "./shell-files.ts";

type Told = Pick<HostStatus, "title" | "startedAt" | "viewers" | "exit">;
type Size = Pick<HostStatus, "cols" | "rows" | "pid">;

/** Values are null until the host reports them. */
export type ShellRow = ShellRecord &
  Told & { [name in keyof Size]: number | null } & {
    bytes: number;
    /** Why its host can't be used, in words; null while it answers. */
    trouble: string | null;
  };

const NOTHING_TOLD = { title: "", cols: null, rows: null, pid: null, viewers: 0, exit: null, bytes: 0 };
const ANSWER_MS = 1_000;
/** How long to wait for a host that was being started when the server died. */
const STARTING_MS = 5_000;
/** A program may change its title with every frame of a spinner. */
const TITLE_INTERVAL_MS = 1_000;

interface ShellOptions {
  runDir: RunDir;
  /** An earlier server started it. */
  isOld: boolean;
  /** Something about it has changed. */
  changed(): void;
  /** Its host is gone, after it had been reached or assumed to be there. */
  gone(): void;
}

export class Shell {
  record: ShellRecord;
  readonly #watcher: HostWatcher;
  readonly #changed: () => void;
  #known: HostStatus | undefined;
  readonly #claimedAt: string;
  #titleTimer: Timer | undefined;
  #stopping: Promise<void> | undefined;

  constructor(record: ShellRecord, { runDir, isOld, changed, gone }: ShellOptions) {
    this.record = record;
    this.#changed = changed;
    const files = runDir.files(record.id);
    this.#watcher = new HostWatcher({
      sessionId: record.id,
      files,
      event: (event) => this.#observe(event),
      connected: async ({ hello }) => {
        const isFirst = this.#known === undefined;
        this.#known = hello;
        if (isFirst) changed();
      },
      gone,
      troubled: changed,
      isComing: () => isOld && !existsSync(files.claim) && shellAge(runDir, record.id) < STARTING_MS,
    });
    this.#claimedAt = runDir.claimedAt(record.id);
  }

  /** False if its host is gone. Doesn't wait longer for one that does not answer. */
  isThere(patienceMs: number): Promise<boolean> {
    return this.#watcher.isThere(patienceMs);
  }

  #observe({ type }: HostEvent): void {
    if (type === "exit") this.#changed();
    if (type !== "title") return;
    this.#titleTimer ??= setTimeout(() => {
      this.#titleTimer = undefined;
      this.#changed();
    }, TITLE_INTERVAL_MS);
  }

  /** What the host says, or what it last said if it doesn't answer in time. */
  async row(): Promise<ShellRow> {
    const status = this.#watcher.host?.status();
    this.#known = (status && (await within(ANSWER_MS, status).catch(() => undefined))) ?? this.#known;
    return this.lastRow();
  }

  lastRow(): ShellRow {
    const { trouble } = this.#watcher;
    const words = trouble === undefined ? null : troubleInWords(trouble, "shell");
    const shared = { ...this.record, trouble: words };
    if (this.#known === undefined) return { ...shared, ...NOTHING_TOLD, startedAt: this.#claimedAt };
    const { title, cols, rows, pid, startedAt, viewers, exit, offset } = this.#known;
    return { ...shared, title, cols, rows, pid, startedAt, viewers, exit, bytes: offset };
  }

  get trouble(): HostTrouble | undefined {
    return this.#watcher.trouble;
  }

  /** Ends everything the shell started, then the host. */
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
        `These processes of the shell could not be ended: ${left.join(", ")}. End them yourself and try again.`,
      );
    }
    clearTimeout(this.#titleTimer);
    await this.#watcher.dismiss();
  }

  /** Lets go of the host, which keeps running, when the server stops. */
  detach(): void {
    clearTimeout(this.#titleTimer);
    this.#watcher.close();
  }
}
