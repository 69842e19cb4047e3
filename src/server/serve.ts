// Parts → recovery → listen. Everything the process is made of, put together in one place.

import { join } from "node:path";
import { DEFAULT_AGENT, LIMITS } from "../contract.ts";
import { openStore } from "../db/open.ts";
import { createAgents } from "./agents/agents.ts";
import { createApp } from "./app.ts";
import { createLogins } from "./auth/logins.ts";
import { createOrigins } from "./auth/origins.ts";
import { loadToken } from "./auth/token.ts";
import type { Config } from "./config.ts";
import { claimDataDir, DataDirError } from "./data-dir.ts";
import { createEvents } from "./events/events.ts";
import { createTaskFiles } from "./files/task-files.ts";
import { createHostReadiness } from "./hosts/host-readiness.ts";
import { createRunDir } from "./hosts/run-dir.ts";
import { createSpareHost } from "./hosts/spare-host.ts";
import { createHostStarter } from "./hosts/start-host.ts";
import { loadAssets } from "./http/assets.ts";
import { createIdempotencyKeys } from "./http/idempotency-keys.ts";
import { IDLE_SECONDS } from "./http/resource.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import type { Log } from "./log.ts";
import { createProjects } from "./projects/projects.ts";
import { createRepositoryFinder } from "./projects/repositories.ts";
import { loginLink } from "./routes/login.ts";
import { agentEnvironment } from "./sessions/environment.ts";
import { createSessionPaths } from "./sessions/paths.ts";
import { createRunner } from "./sessions/runner.ts";
import { createShells } from "./sessions/shells/shells.ts";
import { createShellStarter } from "./sessions/shells/start-shell.ts";
import { createSessionRows, requireMayLeave } from "./sessions/store.ts";
import { createTrash } from "./sessions/trash.ts";
import { createTerminalFinder } from "./sessions/viewers/find-terminal.ts";
import { createSessionList } from "./sessions/viewers/session-list.ts";
import { createTerminalSockets } from "./sessions/viewers/sockets.ts";
import { createTerminals } from "./sessions/viewers/terminals.ts";
import { createTasks } from "./tasks/tasks.ts";
import { createUsage } from "./tasks/usage.ts";

const CLIENT_DIR = join(import.meta.dir, "../../dist/client");
/** By then the page is loaded. */
const SPARE_HOST_AFTER_MS = 1_000;
/** For the steps under way when it stops. What takes longer goes on after the next start. */
const LAST_STEPS_MS = 2_000;
const PURGE_EVERY_MS = 6 * 3_600_000;

interface ServeOptions {
  config: Config;
  log: Log;
  /** Told of every step on the way to a durable result; tests end the process there. */
  checkpoint?(step: string): void;
  /** Off where sessions are few and short. */
  keepsSpareHost?: boolean;
}

export interface Serving {
  url: string;
  loginUrl: string;
  /** Sessions go on. */
  stop(): Promise<void>;
}

export async function serve({
  config,
  log,
  checkpoint = () => {},
  keepsSpareHost = true,
}: ServeOptions): Promise<Serving> {
  const dataDir = claimDataDir(config.dataDir);
  const token = loadToken(dataDir);
  const store = openDatabase(dataDir.path("banto.db"));
  const events = createEvents({ log });
  const logins = createLogins({ store, token });
  const keys = createIdempotencyKeys({ store });
  const origins = createOrigins(config);
  const paths = createSessionPaths(config.dataDir);
  const agents = createAgents({
    file: dataDir.path("agents.toml"),
    claudeExecutable: config.claudeExecutable,
    env: process.env,
  });
  const runDir = createRunDir(dataDir.path("run"));
  const spareHost = createSpareHost({ log, isKept: keepsSpareHost });
  const tasks = createTasks({ store, events, agents, requireMayLeave });
  const queue = createKeyedQueue();
  const base = {
    ...{ config, log, checkpoint, events, agents, tasks, paths, runDir, spareHost },
    hosts: createHostStarter({ runDir, config }),
    readiness: createHostReadiness(),
    queue,
    rows: createSessionRows({ store, events }),
  };
  const starter = createShellStarter({
    ...base,
    environment: (ids) => agentEnvironment({ base: process.env, ...ids }),
  });
  const shells = createShells({ ...base, ...starter });
  const files = createTaskFiles({ root: dataDir.path("files"), requireWorktree: starter.requireWorktree });
  const runner = createRunner({ ...base, files, stopShells: shells.stopShells });
  const finder = createTerminalFinder(base);
  const trash = createTrash({ ...base, store });
  const sockets = createTerminalSockets({ ...base, logins });
  const app = createApp({
    tasks,
    finder,
    files,
    shells,
    sessions: createSessionList({ tasks, finder, shells, runner }),
    terminals: createTerminals(),
    sockets,
    projects: createProjects({ store, events }),
    repositories: createRepositoryFinder(config.projectRoots),
    runner,
    trash,
    usage: createUsage({ store, costOf: (id) => runner.gauges(id)?.costUsd ?? null }),
    agents,
    events,
    logins,
    origins,
    assets: loadAssets(CLIENT_DIR),
    keys,
    token,
    log,
    checkpoint,
  });
  await shells.recover();
  await runner.recover();
  app.listen({
    hostname: config.host,
    port: config.port,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    // What is far over any limit is refused unread; every route has its own bound below that.
    maxRequestBodySize: LIMITS.fileBytes + (16 << 20),
  });
  const server = app.server;
  if (server === null || server.port === undefined) throw new Error("Elysia did not start a server");
  origins.listening(server.port);

  const purge = () => {
    keys.sweep();
    trash.purgeExpired().catch((error) => log.error("emptying the trash", error));
  };
  purge();
  const purging = setInterval(purge, PURGE_EVERY_MS);
  purging.unref();

  spareHost.order(SPARE_HOST_AFTER_MS);

  void agents.prepare(DEFAULT_AGENT).catch(() => {}); // starting it tells what is wrong with it
  const url = `${origins.local()}/`;
  dataDir.announce({ pid: process.pid, url });
  return {
    url,
    loginUrl: loginLink({ logins, origins }).url,
    async stop() {
      clearInterval(purging);
      sockets.close();
      shells.close();
      await server.stop(true);
      await Promise.race([queue.allIdle(), Bun.sleep(LAST_STEPS_MS)]);
      runner.dispose();
      spareHost.dispose();
      store.close();
      dataDir.release();
    },
  };
}

function openDatabase(path: string) {
  try {
    return openStore(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataDirError(
      `cannot open the database ${path} (${reason}); put it right or restore it, or set BANTO_DATA_DIR to another directory`,
    );
  }
}
