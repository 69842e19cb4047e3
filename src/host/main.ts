// The session host: one process, one terminal. Started by launch.ts; reads its spec from standard
// input, says "ready" on standard output, and from then on depends on nobody.
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import { listen } from "./listen.ts";
import { createSession } from "./session.ts";
import { completeSpec, type HostRequest } from "./spec.ts";

const FLUSH_MS = 100;

const spec = completeSpec(JSON.parse(await Bun.stdin.text()) as HostRequest);
const log = (line: string) =>
  appendFileSync(spec.logPath, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });

const leave = () => {
  door.close();
  session.close();
  // What the sockets still hold goes out first.
  setTimeout(() => process.exit(0), FLUSH_MS);
};

let ended = false;
let collected = false;
const session = createSession(spec, {
  version: manifest.version,
  engine: fileURLToPath(import.meta.resolve("ghostty-web/ghostty-vt.wasm")),
  onHappening: (happening) => door.announce(happening),
  onMirrorRestart: (reason) => log(`mirror replaced: ${reason}`),
  onEnd(record) {
    ended = true;
    log(`ended: ${record.signal ?? `code ${record.code}`} (${record.reason}) after ${record.offset} bytes`);
    const { code, signal, reason } = record;
    door.announce({ type: "exit", code, signal, reason });
    if (collected) leave();
    else setTimeout(leave, spec.lingerSeconds * 1_000);
  },
});
const door = listen(spec.socketPath, session, () => {
  collected = true;
  if (ended) leave();
});

// A hang-up is for whoever started us; the service manager's goodbye ends the session in order.
process.on("SIGHUP", () => {});
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {
  collected = true;
  if (ended) leave();
  else void session.stop();
});
process.on("uncaughtException", (error) => log(`error: ${error.stack ?? error.message}`));
process.on("unhandledRejection", (error) => log(`error: ${String(error)}`));

log(`started: session ${spec.sessionId}, host ${process.pid}, program ${session.status().pid}`);
// Whoever started us may be gone already, and then nobody wants to hear it.
process.stdout.on("error", () => {});
process.stdout.write(`${JSON.stringify({ ready: true, ...session.status() })}\n`);
