// Starts a session host that outlives whoever starts it: in a process session of its own and, where
// the user's systemd can be reached, in a scope of its own too, so that stopping the server's unit
// does not take the agents with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scopeName } from "../processes/processes.ts";
import { LaunchError, type LaunchReason } from "../protocol/launch-error.ts";
import { completeSpec, type HostRequest } from "../protocol/spec.ts";
import { hostProgram } from "./program.ts";

export interface LaunchedHost {
  hostPid: number;
  /** Of the program in the terminal. */
  pid: number;
  scoped: boolean;
}

/** The host's own surroundings; the program's come in the spec. */
const KEPT = [
  "PATH",
  "HOME",
  "LANG",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "BUN_RUNTIME_TRANSPILER_CACHE_PATH",
];

/** What a host says, a line each: that viewers may come, then how it went. */
type Report =
  | { listening: true }
  | { ready: true; hostPid: number; pid: number }
  | { ready: false; reason: LaunchReason; message: string };

/** Something before the host failed: it never ran, or it broke without a word. */
class NoReport extends Error {}

function scopeCommand(sessionId: string): string[] | undefined {
  const runtime = process.env.XDG_RUNTIME_DIR;
  const command = Bun.which("systemd-run", { PATH: process.env.PATH ?? "" });
  if (command === null || runtime === undefined || !existsSync(join(runtime, "systemd", "private")))
    return undefined;
  return [command, "--user", "--scope", "--quiet", "--collect", `--unit=${scopeName(sessionId)}`, "--"];
}

type Child = ReturnType<typeof spawn>;

function spawn(prefix: string[]) {
  const env = Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name] ?? ""]] : [])),
  );
  const child = Bun.spawn([...prefix, process.execPath, hostProgram()], {
    cwd: "/",
    env,
    // Not a Blob: the memory file it would come in stays open until it is collected.
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
    // From here on the host's log is its own business; holding its pipes would cost a descriptor each.
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

/** All that a host is ever told; none at all makes it leave. */
async function tell({ stdin }: Child, spec: string): Promise<void> {
  try {
    stdin.write(spec);
    await stdin.end();
  } catch {
    // It went away. Then it also says nothing, and that is noticed.
  }
}

/** A host that is on its way while what it needs is still being made. */
export interface PreparedHost {
  /**
   * Throws a LaunchError when no program was started by this call. Viewers may come as soon as it listens, a
   * moment before the program runs.
   */
  launch(request: HostRequest, onListening?: () => void): Promise<LaunchedHost>;
  /** It has not ended for want of anything to do. */
  isWaiting(): boolean;
  /** It is not needed after all. */
  dismiss(): void;
}

/** Without a spec a host does nothing, and ends with whoever started it. */
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
        // A user manager that is there but refuses: better a host outside a scope than none. Or somebody
        // ended this one while it waited.
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
