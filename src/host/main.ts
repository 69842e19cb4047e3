// The session host: one process, one terminal. Started by launch.ts. It reads its spec from standard input, and reports
// on standard output that it listens, then that its program is running or why not. From then on it depends on nobody.
import { appendFile, appendFileSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { listen } from "./listen.ts";
import { adoptOrphans } from "./processes/adopt.ts";
import { TASK_MARKER } from "./processes/processes.ts";
import { releaseClaim, takeClaim } from "./protocol/claim.ts";
import type { ExitRecord } from "./protocol/exit-record.ts";
import { LaunchError } from "./protocol/launch-error.ts";
import { leftPathFor, writeLeft } from "./protocol/left-behind.ts";
import { completeSpec, type HostRequest, type HostSpec } from "./protocol/spec.ts";
import { createSession, type Session } from "./session.ts";
import { startPty } from "./terminal/pty.ts";

/**
 * The path stays valid for as long as this process runs, even if the file is deleted or replaced, so that a mirror's
 * last worker runs the same code as its first.
 */
const keepOpen = (name: string) => `/proc/self/fd/${openSync(join(dirname(Bun.main), name), "r")}`;
const WORKER = keepOpen("worker.js");
const ENGINE = keepOpen("ghostty-vt.wasm");
const FLUSH_MS = 100;
/** How long to wait for viewers that are still reading the last output. */
const LAST_VIEWERS_MS = 10_000;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
/** Not through `process.stdout`, because loading that takes a third of the start-up time. */
function report(line: unknown) {
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // The process that started us is gone, and nobody reads this.
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

function serve(spec: HostSpec, adopts: boolean) {
  const stamped = (line: string) => `${new Date().toISOString()} ${line}\n`;
  const tell = (write: () => void) => {
    try {
      write();
    } catch {
      // The disk is full or gone, which is no reason to end the agent, and there is nowhere to report it.
    }
  };
  const log = (line: string) => tell(() => appendFileSync(spec.logPath, stamped(line), { mode: 0o600 }));
  const taskId = spec.env[TASK_MARKER];
  process.on("uncaughtException", (error) => log(`error: ${error.stack ?? error.message}`));
  process.on("unhandledRejection", (error) => log(`error: ${String(error)}`));

  let ended = false;
  let collected = false;
  // Viewers may connect while the program is being started, which blocks this process.
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
    if (taskId !== undefined)
      tell(() => writeLeft(leftPathFor(spec.claimPath, taskId), session.leftBehind()));
    listener.close();
    session.close();
    // Lets the sockets flush first.
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

  // SIGHUP and SIGINT are meant for the process that started us. SIGTERM, from a service manager, ends the session.
  process.on("SIGHUP", () => {});
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {
    collected = true;
    if (ended) leave();
    else void session.stop("terminated");
  });
  if (!adopts) log("this system gives orphans to nobody but init: some that hide can't be ended");
  // Asynchronous, so that the first output doesn't wait for a disk.
  const started = `started: session ${spec.sessionId}, host ${process.pid}, program ${session.status().pid}`;
  appendFile(spec.logPath, stamped(started), { mode: 0o600 }, () => {});
  return session;
}

/** Starts a dummy program, because the first one that a process starts takes longest. */
function warmUp() {
  const nothing = () => {};
  try {
    startPty({
      ...{ argv: ["true"], cwd: "/", env: { PATH: process.env.PATH ?? "" }, cols: 80, rows: 24 },
      ...{ onOutput: nothing, onDrain: nothing, onEnd: nothing },
    });
  } catch {
    // Then the agent's program will be the first.
  }
}

async function main(): Promise<void> {
  try {
    const adopts = adoptOrphans();
    warmUp();
    const spec = completeSpec(JSON.parse(await Bun.stdin.text()) as HostRequest);
    claim(spec);
    const session = withCleanup(
      () => releaseClaim(spec.claimPath), // nothing runs: another attempt may be made
      () => serve(spec, adopts),
    );
    report({ ready: true, ...session.status() });
  } catch (error) {
    const reason = error instanceof LaunchError ? error.reason : "failed";
    report({ ready: false, reason, message: messageOf(error) });
    process.exit(1);
  }
}

// Not awaited: when its first file has finished, Bun cleans up, which is best done while we wait.
void main();
