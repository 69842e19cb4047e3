// Starts a session host that outlives whoever starts it: in a process session of its own and, where
// the user's systemd can be reached, in a scope of its own too, so that stopping the server's unit
// does not take the agents with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
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
const KEPT = ["PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];

function scopeCommand(sessionId: string): string[] | undefined {
  const runtime = process.env.XDG_RUNTIME_DIR;
  const command = Bun.which("systemd-run", { PATH: process.env.PATH ?? "" });
  if (command === null || runtime === undefined || !existsSync(join(runtime, "systemd", "private")))
    return undefined;
  return [command, "--user", "--scope", "--quiet", "--collect", `--unit=${scopeName(sessionId)}`, "--"];
}

async function start(prefix: string[], spec: string): Promise<{ hostPid: number; pid: number }> {
  const env = Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name] ?? ""]] : [])),
  );
  const child = Bun.spawn([...prefix, ...HOST], {
    cwd: "/",
    env,
    stdin: new Blob([spec]),
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  child.unref();
  const reader = child.stdout.getReader();
  let said = "";
  while (!said.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    said += Buffer.from(value).toString();
  }
  if (said.includes("\n")) {
    // From here on the host's log is its own business; holding its pipes would cost a descriptor each.
    await Promise.all([reader.cancel(), child.stderr.cancel()]);
    const { hostPid, pid } = JSON.parse(said) as { hostPid: number; pid: number };
    return { hostPid, pid };
  }
  const complaint = (await new Response(child.stderr).text()).trim();
  throw new Error(`the session host did not start: ${complaint || `exit ${await child.exited}`}`);
}

export async function launchHost(request: HostRequest): Promise<LaunchedHost> {
  const spec = JSON.stringify(completeSpec(request));
  const scope = scopeCommand(request.sessionId);
  if (scope !== undefined) {
    try {
      return { ...(await start(scope, spec)), scoped: true };
    } catch (error) {
      // A user manager that is there but refuses: better a host outside a scope than none. A host
      // that itself complained would only do so again.
      if (error instanceof Error && error.message.includes("session host: ")) throw error;
    }
  }
  return { ...(await start([], spec)), scoped: false };
}
