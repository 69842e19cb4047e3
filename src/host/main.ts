// The session host: one process, one terminal. Started by launch.ts; reads its spec from standard
// input, says on standard output that it listens, then that its program runs or why not, and from then on
// depends on nobody.
import { appendFile, appendFileSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { listen } from "./listen.ts";
import { releaseClaim, takeClaim } from "./protocol/claim.ts";
import type { ExitRecord } from "./protocol/exit-record.ts";
import { LaunchError } from "./protocol/launch-error.ts";
import { completeSpec, type HostRequest, type HostSpec } from "./protocol/spec.ts";
import { createSession, type Session } from "./session.ts";
import { startPty } from "./terminal/pty.ts";

/**
 * Stays the same file for as long as this process runs, even when that has been deleted or replaced: the last worker
 * of a mirror runs what the first one ran.
 */
const keepOpen = (name: string) => `/proc/self/fd/${openSync(join(dirname(Bun.main), name), "r")}`;
const WORKER = keepOpen("worker.js");
const ENGINE = keepOpen("ghostty-vt.wasm");
const FLUSH_MS = 100;
/** How long viewers who are still reading the last output are waited for. */
const LAST_VIEWERS_MS = 10_000;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
/** Not through `process.stdout`: loading what is behind it takes a third of the time to get ready. */
function report(line: unknown) {
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // Whoever started us is gone, and nobody reads this.
  }
}

function claim({ claimPath, sessionId }: HostSpec): void {
  let taken: boolean;
  try {
    taken = !takeClaim(claimPath);
  } catch (error) {
    throw new LaunchError("failed", `Cannot write in ${dirname(claimPath)} (${messageOf(error)}).`);
  }
  if (taken) throw new LaunchError("taken", `Session ${sessionId} has been started already.`);
}

function openSocket(spec: HostSpec, session: () => Session, onCollected: () => void) {
  try {
    return listen(spec.socketPath, session, onCollected);
  } catch (error) {
    throw new LaunchError("failed", `Cannot listen at ${spec.socketPath} (${messageOf(error)}).`);
  }
}

function withCleanup<T>(tidyUp: () => void, act: () => T): T {
  try {
    return act();
  } catch (error) {
    tidyUp();
    throw error;
  }
}

function serve(spec: HostSpec) {
  const stamped = (line: string) => `${new Date().toISOString()} ${line}\n`;
  const log = (line: string) => {
    try {
      appendFileSync(spec.logPath, stamped(line), { mode: 0o600 });
    } catch {
      // The disk is full or gone: no reason to end the agent, and nowhere to say so.
    }
  };
  process.on("uncaughtException", (error) => log(`error: ${error.stack ?? error.message}`));
  process.on("unhandledRejection", (error) => log(`error: ${String(error)}`));

  let ended = false;
  let collected = false;
  // Viewers come while the program is being started, which is waited for in one go.
  const listener = openSocket(
    spec,
    () => session,
    () => {
      collected = true;
      if (ended) leave();
    },
  );
  report({ listening: true });
  const leave = (since = performance.now()) => {
    if (!session.isServed() && performance.now() - since < LAST_VIEWERS_MS) {
      setTimeout(() => leave(since), FLUSH_MS);
      return;
    }
    listener.close();
    session.close();
    // What the sockets still hold goes out first.
    setTimeout(() => process.exit(0), FLUSH_MS);
  };
  const onEnd = ({ code, signal, reason, offset }: ExitRecord) => {
    ended = true;
    log(`ended: ${signal ?? `code ${code}`} (${reason}) after ${offset} bytes`);
    listener.announce({ type: "exit", code, signal, reason });
    if (collected) leave();
    else setTimeout(leave, spec.lingerSeconds * 1_000);
  };
  const session = withCleanup(
    () => listener.close(),
    () =>
      createSession(spec, {
        version,
        worker: WORKER,
        engine: ENGINE,
        onEvent: (event) => listener.announce(event),
        onTrouble: log,
        onEnd,
      }),
  );

  // SIGHUP and SIGINT are meant for whoever started us. SIGTERM, from a service manager, ends the session in order.
  process.on("SIGHUP", () => {});
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {
    collected = true;
    if (ended) leave();
    else void session.stop("terminated");
  });
  // Not synchronous, so that the first output does not wait for a disk.
  const started = `started: session ${spec.sessionId}, host ${process.pid}, program ${session.status().pid}`;
  appendFile(spec.logPath, stamped(started), { mode: 0o600 }, () => {});
  return session;
}

/** Starts a program for nothing: the first one that a process starts takes longer than the next. */
function warmUp() {
  const nothing = () => {};
  try {
    startPty({
      ...{ argv: ["true"], cwd: "/", env: { PATH: process.env.PATH ?? "" }, cols: 80, rows: 24 },
      ...{ onOutput: nothing, onDrain: nothing, onEnd: nothing },
    });
  } catch {
    // The agent's program will be the first, then.
  }
}

async function main(): Promise<void> {
  try {
    warmUp();
    const spec = completeSpec(JSON.parse(await Bun.stdin.text()) as HostRequest);
    claim(spec);
    const session = withCleanup(
      () => releaseClaim(spec.claimPath), // nothing runs: another attempt may be made
      () => serve(spec),
    );
    report({ ready: true, ...session.status() });
  } catch (error) {
    const reason = error instanceof LaunchError ? error.reason : "failed";
    report({ ready: false, reason, message: messageOf(error) });
    process.exit(1);
  }
}

// Not awaited: when its first file has come to its end, Bun cleans up, and that is better done while we wait.
void main();
