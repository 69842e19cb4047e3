// The server's own connection to a session's host: hears what happens there, and is made again when it breaks.

import { isHeld } from "../../host/protocol/claim.ts";
import { connect, type HostConnection, type HostEvent, within } from "./connection.ts";
import { endByForce, endLeftovers, stopByHost } from "./end-host.ts";
import type { RunFiles } from "./run-dir.ts";

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;
/** A host that takes longer to be reached is not asked to end its program. */
const REACH_MS = 5_000;
const FAREWELL_MS = 1_000;

interface WatcherOptions {
  sessionId: string;
  files: RunFiles;
  event(event: HostEvent): void;
  /** Connected, also again. What happened before can be asked for; where that fails, another connection is made. */
  connected?(host: HostConnection): Promise<void>;
  /** The host has gone after it had been reached. */
  gone(): void;
  /** A host that was just told to start may not be there yet. */
  isComing?(): boolean;
  /** A host that runs and can't be reached for so long is given up. */
  limitMs?: number;
}

export class HostWatcher {
  readonly #options: WatcherOptions;
  #host: HostConnection | undefined;
  #reaching: Promise<boolean> | undefined;
  #isClosed = false;
  #onClosed = () => {};

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** While it is connected. */
  get host(): HostConnection | undefined {
    return this.#host;
  }

  /**
   * True once it is connected, false when the host is gone. One that runs and does not answer, because it is busy, of
   * another version, or this process has no descriptor left, is tried again: only the end of the process that holds
   * the claim proves that it is gone. Never settles after `close`.
   */
  open(): Promise<boolean> {
    this.#reaching ??= this.#reach().finally(() => {
      this.#reaching = undefined;
    });
    return this.#reaching;
  }

  async #reach(): Promise<boolean> {
    const began = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
      if (this.#host !== undefined || (await this.#connect())) return true;
      if (this.#isClosed) return never;
      if (!this.#mayBeThere(performance.now() - began)) return false;
      await Bun.sleep(pause);
    }
  }

  async #connect(): Promise<boolean> {
    const { files, event, connected } = this.#options;
    let host: HostConnection | undefined;
    const closed = () => {
      if (host !== undefined && this.#host === host) this.#lose();
    };
    try {
      host = await connect(files.socket, { event, closed });
      if (this.#isClosed) throw new Error("closed meanwhile");
      this.#host = host;
      host.subscribe();
      await connected?.(host);
    } catch {
      if (this.#host === host) this.#host = undefined;
      host?.close();
    }
    return this.#host !== undefined;
  }

  #mayBeThere(elapsed: number): boolean {
    const { files, isComing, limitMs = Number.POSITIVE_INFINITY } = this.#options;
    if (isComing?.()) return true;
    try {
      return elapsed < limitMs && isHeld(files.claim);
    } catch {
      return true; // the claim can't even be read now
    }
  }

  #lose(): void {
    this.#host = undefined;
    this.#onClosed();
    if (this.#isClosed || this.#reaching !== undefined) return; // whoever is reaching it tries again
    void this.open().then((isThere) => {
      if (!isThere) this.#options.gone();
    });
  }

  /**
   * Ends everything the session started: the host does, or this process where the host is gone or hangs. Gives the
   * processes that would not end. Never settles after `close`: the next server goes on with it, so nobody may take it
   * for done.
   */
  async end({ hangsUp = false } = {}): Promise<number[]> {
    const { sessionId, files } = this.#options;
    for (;;) {
      await within(REACH_MS, this.open()).catch(() => {});
      const host = this.#host;
      if (host === undefined) break;
      // As when a terminal's window is closed: interactive shells don't listen to the polite request that comes next.
      if (hangsUp) host.signal("SIGHUP");
      const left = await stopByHost(host);
      if (left?.length === 0) await endLeftovers(sessionId);
      if (left !== undefined) return left;
      if (this.#host === host) break; // it hangs; where only the connection broke, it is asked again
    }
    if (this.#isClosed) return never;
    await endByForce(sessionId, files.claim);
    return [];
  }

  /** The host may go. Waits until it has, unless a viewer who reads slowly keeps it. */
  async dismiss(): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#isClosed = true;
    this.#onClosed = resolve;
    if (this.#host === undefined) return;
    this.#host.collect();
    await within(FAREWELL_MS, closed).catch(() => this.close());
  }

  /** Leaves the host to itself. */
  close(): void {
    this.#isClosed = true;
    const host = this.#host;
    this.#host = undefined;
    host?.close();
  }
}

const never = new Promise<never>(() => {});
