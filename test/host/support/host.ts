// A real session host for one test, gone with everything it started when the test is over.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientHandlers, connectHost, type HostClient } from "../../../src/host/client/connect.ts";
import { type LaunchedHost, launchHost } from "../../../src/host/client/launch.ts";
import { readProcess } from "../../../src/host/processes/processes.ts";
import type { HostRequest } from "../../../src/host/protocol/spec.ts";

export interface TestHost extends AsyncDisposable, LaunchedHost {
  dir: string;
  sessionId: string;
  socketPath: string;
  recordPath: string;
  logPath: string;
  connect(handlers?: ClientHandlers): Promise<HostClient>;
}

export const baseEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: home,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
});

/** What `more` has of an environment comes on top of the usual one. */
export function hostRequest(
  dir: string,
  argv: string[],
  { env, ...more }: Partial<HostRequest> = {},
): HostRequest {
  return {
    sessionId: crypto.randomUUID(),
    argv,
    cwd: dir,
    env: { ...baseEnvironment(dir), ...env },
    cols: 80,
    rows: 24,
    socketPath: join(dir, "host.sock"),
    recordPath: join(dir, "exit.json"),
    logPath: join(dir, "host.log"),
    stopGraceMs: 500,
    ...more,
  };
}

export async function until(holds: () => boolean, what: string, ms = 15_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`still waiting for ${what}`);
    await Bun.sleep(10);
  }
}

export async function startHost(
  argv: string[],
  more: Partial<HostRequest> = {},
  launch = launchHost,
): Promise<TestHost> {
  const dir = mkdtempSync(join(tmpdir(), "banto-host-"));
  const request = hostRequest(dir, argv, more);
  const launched = await launch(request).catch((error: unknown) => {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  });
  const clients: HostClient[] = [];
  return {
    ...launched,
    dir,
    sessionId: request.sessionId,
    socketPath: request.socketPath,
    recordPath: request.recordPath,
    logPath: request.logPath,
    async connect(handlers) {
      const client = await connectHost(request.socketPath, handlers);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      const host = readProcess(launched.hostPid);
      if (host !== undefined) process.kill(launched.hostPid, "SIGTERM");
      for (const client of clients) client.close();
      await until(
        () => readProcess(launched.hostPid)?.startTime !== host?.startTime || host === undefined,
        "the host to leave",
      );
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
