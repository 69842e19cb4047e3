// Starts a session host that outlives the process that starts it: in its own process session and, if the user's systemd
// can be reached, in its own scope, so that stopping the server's unit doesn't stop the agents.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scopeName } from "../processes/processes.ts";
import { LaunchError, type LaunchReason } from "../protocol/launch-error.ts";
import { completeSpec, type HostRequest } from "../protocol/spec.ts";
import { hostProgram } from "./program.ts";

export interface LaunchedHost {
  hostPid: number;
  /** The process id of the program in the terminal. */
  pid: number;
  scoped: boolean;
}

/** The host's own environment. The program's comes in the spec. */
const KEPT = [
  "PATH",
  "HOME",
  "LANG",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "BUN_RUNTIME_TRANSPILER_CACHE_PATH",
];

/** What a host reports, one line each: that viewers may connect, then the result. */
type Report =
  | { listening: true }
  | { ready: true; hostPid: number; pid: number }
  | { ready: false; reason: LaunchReason; message: string };

/** The host never ran, or failed without a report. */
class NoReport extends Error {}

function scopeCommand(sessionId: string): string[] | undefined {
  const runtime = process.env.XDG_RUNTIME_DIR;
  const command = Bun.which("systemd-run", { PATH: process.env.PATH ?? "" });
  if (command === null || runtime === undefined || !existsSync(join(runtime, "systemd", "private")))
    return undefined;
  return [command, "--user", "--scope", "--quiet", "--collect", `--unit=${scopeName(sessionId)}`, "--"];
}

/**
 * Bun looks at the size of its heap every second, also in a process that does nothing: of fifty idle hosts that took
 * most of the processor time. Allocating collects garbage all the same.
 */
const SLOW_GC_TIMER = { BUN_GC_TIMER_INTERVAL: "15000" };

type Child = ReturnType<typeof spawn>;

function spawn(prefix: string[]) {
  const env = Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name] ?? ""]] : [])),
  );
  const child = Bun.spawn([...prefix, process.execPath, hostProgram()], {
    cwd: "/",
    env: { ...env, ...SLOW_GC_TIMER },
    // Not a Blob: Bun passes those in a memory file that stays open until it is garbage-collected.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  child.unref();
  return child;
}

async function begin(child: Child, spec: string, onListening: () => void) {
  void tell(child, spec);
  for await (const report of reports(child.stdout)) {
    if ("listening" in report) {
      onListening();
      continue;
    }
    // From here on the host logs to its own file. Keeping its pipes would cost a descriptor each.
    await child.stderr.cancel();
    if (!report.ready) throw new LaunchError(report.reason, report.message);
    return { hostPid: report.hostPid, pid: report.pid };
  }
  const complaint = (await new Response(child.stderr).text()).trim();
  throw new NoReport(complaint || `exit ${await child.exited}`);
}

async function* reports(output: ReadableStream<Uint8Array>): AsyncGenerator<Report> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Report;
  }
}

function explain(error: unknown): never {
  if (!(error instanceof NoReport)) throw error;
  throw new LaunchError("failed", `The session host did not start: ${error.message}`);
}

/** Writes everything a host is ever told. An empty spec makes it exit. */
async function tell({ stdin }: Child, spec: string): Promise<void> {
  try {
    stdin.write(spec);
    await stdin.end();
  } catch {
    // The host is gone. That is noticed because it doesn't report anything.
  }
}

/** A host that is getting ready while what it needs is still being made. */
export interface PreparedHost {
  /**
   * Throws a LaunchError if this call started no program. Viewers may connect as soon as the host listens, a moment
   * before the program runs.
   */
  launch(request: HostRequest, onListening?: () => void): Promise<LaunchedHost>;
  /** Whether it is still waiting for something to run. */
  isWaiting(): boolean;
  /** It is not needed after all. */
  dismiss(): void;
}

/** Until it gets a spec, a host does nothing, and ends with the process that started it. */
export function prepareHost(sessionId: string): PreparedHost {
  const scope = scopeCommand(sessionId);
  const first = spawn(scope ?? []);
  return {
    async launch(request, onListening = () => {}) {
      const spec = JSON.stringify(completeSpec(request));
      try {
        return { ...(await begin(first, spec, onListening)), scoped: scope !== undefined };
      } catch (error) {
        if (!(error instanceof NoReport)) throw error;
        // The user manager refused, and a host outside a scope is better than none. Or somebody ended this host
        // while it waited.
        return { ...(await begin(spawn([]), spec, onListening).catch(explain)), scoped: false };
      }
    },
    isWaiting: () => first.exitCode === null && first.signalCode === null,
    dismiss() {
      void tell(first, "");
    },
  };
}

export const launchHost = (request: HostRequest): Promise<LaunchedHost> => {
  const host = prepareHost(request.sessionId);
  return host.launch(request).catch((error) => {
    host.dismiss();
    throw error;
  });
};
