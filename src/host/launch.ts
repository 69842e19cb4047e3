// Starts a session host that outlives whoever starts it: in a process session of its own and, where
// the user's systemd can be reached, in a scope of its own too, so that stopping the server's unit
// does not take the agents with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { LaunchError, type LaunchReason } from "./launch-error.ts";
import { scopeName } from "./processes.ts";
import { completeSpec, type HostRequest } from "./spec.ts";

export interface LaunchedHost {
  hostPid: number;
  /** Of the program in the terminal. */
  pid: number;
  scoped: boolean;
}

const HOST = [process.execPath, join(import.meta.dir, "main.ts")];
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

/** The first line a host says. */
type Report =
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
  const child = Bun.spawn([...prefix, ...HOST], {
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

async function begin(child: Child, spec: string): Promise<{ hostPid: number; pid: number }> {
  void tell(child, spec);
  const reader = child.stdout.getReader();
  let said = "";
  while (!said.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    said += Buffer.from(value).toString();
  }
  if (!said.includes("\n")) {
    const complaint = (await new Response(child.stderr).text()).trim();
    throw new NoReport(complaint || `exit ${await child.exited}`);
  }
  // From here on the host's log is its own business; holding its pipes would cost a descriptor each.
  await Promise.all([reader.cancel(), child.stderr.cancel()]);
  const report = JSON.parse(said) as Report;
  if (!report.ready) throw new LaunchError(report.reason, report.message);
  return { hostPid: report.hostPid, pid: report.pid };
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
  /** Throws a LaunchError when no program was started by this call. */
  launch(request: HostRequest): Promise<LaunchedHost>;
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
    async launch(request) {
      const spec = JSON.stringify(completeSpec(request));
      try {
        return { ...(await begin(first, spec)), scoped: scope !== undefined };
      } catch (error) {
        if (!(error instanceof NoReport)) throw error;
        // A user manager that is there but refuses: better a host outside a scope than none. Or somebody
        // ended this one while it waited.
        return { ...(await begin(spawn([]), spec).catch(explain)), scoped: false };
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
