// The server's own connection to a session's host. It reports events, and is made again when it breaks.

import { isHeld, isSuspended } from "../../host/protocol/claim.ts";
import { connect, type HostConnection, type HostEvent, within } from "./connection.ts";
import { endByForce, endLeftovers, stopByHost } from "./end-host.ts";
import { type HostTrouble, refusalOf } from "./host-trouble.ts";
import type { RunFiles } from "./run-dir.ts";

/** How long a starting server waits for each host to answer. */
export const PATIENCE_AT_START_MS = 500;
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;
/** If connecting takes longer, the host is not asked to end its program. */
const REACH_MS = 5_000;
/** The same for a host that is known not to answer. */
const REACH_TROUBLED_MS = 1_000;
/**
 * How often a host is asked whether it still answers if its process is suspended, and if it isn't: answering is most of
 * what an idle session costs.
 */
const BEAT_MS = 4_000;
const ASK_ANYWAY_MS = 20_000;
/** How long an answer may take. */
const SILENT_MS = 4_000;
/** Extra time, because this process may have been the one that was suspended: it reads what has arrived first. */
const LATE_MS = 500;
const FAREWELL_MS = 1_000;

interface WatcherOptions {
  sessionId: string;
  files: RunFiles;
  event(event: HostEvent): void;
  /** Connected, or reconnected. Earlier events can be asked for here. If it rejects, another connection is made. */
  connected?(host: HostConnection): Promise<void>;
  /** The host has gone after it had been reached, or had been taken to be there. */
  gone(): void;
  /** It is running and can't be used, or it can be used again. */
  troubled?(trouble: HostTrouble | undefined): void;
  /** Whether the host may still be starting. */
  isComing?(): boolean;
}

export class HostWatcher {
  readonly #options: WatcherOptions;
  #host: HostConnection | undefined;
  #reaching: Promise<boolean> | undefined;
  #isClosed = false;
  #onClosed = () => {};
  #trouble: HostTrouble | undefined;
  #beat: Timer | undefined;
  #answeredAt = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** While it is connected. */
  get host(): HostConnection | undefined {
    return this.#host;
  }

  /** Why it can't be used. */
  get trouble(): HostTrouble | undefined {
    return this.#trouble;
  }

  /**
   * True once connected, false if the host is gone. Keeps trying if the host is running and does not answer, because it
   * is busy or of another version, or because this process has no descriptors left: the host is gone only when the
   * process that holds the claim has ended. Never settles after `close`.
   */
  open(): Promise<boolean> {
    this.#reaching ??= this.#reach().finally(() => {
      this.#reaching = undefined;
    });
    return this.#reaching;
  }

  /** The same, but a host that runs and has not answered within the time counts as there: it is tried on. */
  async isThere(patienceMs: number): Promise<boolean> {
    const opened = this.open();
    try {
      return await within(patienceMs, opened);
    } catch {
      void opened.then((isThere) => isThere || this.#options.gone());
      return true;
    }
  }

  async #reach(): Promise<boolean> {
    const began = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
      const failure = this.#host === undefined ? await this.#connect() : undefined;
      if (this.#host !== undefined) return true;
      if (this.#isClosed) return never;
      if (!this.#mayBeThere()) return false;
      const refusal = refusalOf(failure);
      if (refusal !== undefined) this.#say(refusal);
      else if (performance.now() - began >= SILENT_MS) this.#say("silent");
      await Bun.sleep(pause);
    }
  }

  /** Resolves with the error if it fails. */
  async #connect(): Promise<unknown> {
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
      if (this.#host === host) this.#say(undefined);
      this.#answeredAt = performance.now();
      this.#beat ??= setInterval(() => void this.#listen(), BEAT_MS).unref();
      return undefined;
    } catch (error) {
      if (this.#host === host) this.#host = undefined;
      host?.close();
      return error;
    }
  }

  #say(trouble: HostTrouble | undefined): void {
    if (trouble === this.#trouble || this.#isClosed) return;
    this.#trouble = trouble;
    this.#options.troubled?.(trouble);
  }

  /** Checks that it still answers: the connection to a frozen host stays open. */
  async #listen(): Promise<void> {
    const host = this.#host;
    if (host === undefined || this.#trouble !== undefined || !this.#mayBeSilent()) return;
    const answer = host.status();
    try {
      await within(SILENT_MS, answer).catch(() => within(LATE_MS, answer));
      this.#answeredAt = performance.now();
    } catch {
      if (this.#host !== host) return; // reconnecting will find out
      this.#say("silent");
      await answer.catch(() => {});
      if (this.#host === host) this.#say(undefined);
    }
  }

  #mayBeSilent(): boolean {
    if (performance.now() - this.#answeredAt >= ASK_ANYWAY_MS) return true;
    try {
      return isSuspended(this.#options.files.claim);
    } catch {
      return true; // the claim can't be read
    }
  }

  #mayBeThere(): boolean {
    const { files, isComing } = this.#options;
    if (isComing?.()) return true;
    try {
      return isHeld(files.claim);
    } catch {
      return true; // the claim can't even be read
    }
  }

  #lose(): void {
    this.#host = undefined;
    this.#onClosed();
    if (this.#isClosed || this.#reaching !== undefined) return; // `#reach` is already trying again
    void this.open().then((isThere) => {
      if (!isThere) this.#options.gone();
    });
  }

  /**
   * Ends everything the session started, through the host, or from here if the host is gone or hangs. Resolves with the
   * processes that would not end. Never settles after `close`: the next server continues, so nobody may think that it
   * is done.
   */
  async end({ hangsUp = false } = {}): Promise<number[]> {
    const { sessionId, files } = this.#options;
    for (;;) {
      const isSilent = this.#trouble !== undefined;
      await within(isSilent ? REACH_TROUBLED_MS : REACH_MS, this.open()).catch(() => {});
      const host = this.#host;
      if (host === undefined || this.#trouble !== undefined) break;
      // As when a terminal window is closed: interactive shells ignore the SIGTERM that comes next.
      if (hangsUp) host.signal("SIGHUP");
      const left = (await answers(host)) ? await stopByHost(host) : undefined;
      if (left?.length === 0) await endLeftovers(sessionId);
      if (left !== undefined) return left;
      if (this.#host === host) break; // it hangs; if only the connection broke, it is asked again
    }
    if (this.#isClosed) return never;
    await endByForce(sessionId, files.claim);
    return [];
  }

  /** Lets the host exit, and waits for it, unless a slow viewer keeps it. */
  async dismiss(): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#isClosed = true;
    clearInterval(this.#beat);
    this.#onClosed = resolve;
    if (this.#host === undefined) return;
    this.#host.collect();
    await within(FAREWELL_MS, closed).catch(() => this.close());
  }

  /** Leaves the host to itself. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#beat);
    const host = this.#host;
    this.#host = undefined;
    host?.close();
  }
}

const answers = (host: HostConnection) =>
  within(SILENT_MS, host.status()).then(
    () => true,
    () => false,
  );

const never = new Promise<never>(() => {});
