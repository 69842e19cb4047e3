// Parts → recovery → listen. Puts together everything the process is made of.

import http from "node:http";
import { join } from "node:path";
import { DEFAULT_AGENT, LIMITS } from "../contract.ts";
import { sessionLogs } from "../db/schema.ts";
import { createAgents } from "./agents/agents.ts";
import { createApp } from "./app.ts";
import { noteAgentsFile } from "./audit/agents-file.ts";
import { createAskTrail } from "./audit/ask-trail.ts";
import { createAudit } from "./audit/audit.ts";
import { createLogins } from "./auth/logins.ts";
import { createOrigins } from "./auth/origins.ts";
import { loadToken } from "./auth/token.ts";
import type { Config } from "./config.ts";
import { claimDataDir } from "./data-dir.ts";
import { createEvents } from "./events/events.ts";
import { createTaskFiles } from "./files/task-files.ts";
import { followMove } from "./git/restore/follow-move.ts";
import { createHostReadiness } from "./hosts/host-readiness.ts";
import { createRunDir } from "./hosts/run-dir.ts";
import { createSpareHost } from "./hosts/spare-host.ts";
import { createHostStarter } from "./hosts/start-host.ts";
import { loadAssets } from "./http/assets.ts";
import { createIdempotencyKeys } from "./http/idempotency-keys.ts";
import { IDLE_SECONDS } from "./http/resource.ts";
import { identify } from "./identity.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import type { Log } from "./log.ts";
import { openDatabase, requireNotLost } from "./open-database.ts";
import { createProjects } from "./projects/projects.ts";
import { createRepositoryFinder } from "./projects/repositories.ts";
import { loginLink } from "./routes/login.ts";
import { agentEnvironment } from "./sessions/environment.ts";
import { createSessionPaths } from "./sessions/paths.ts";
import { createPrompts } from "./sessions/prompts/prompts.ts";
import { createRunner } from "./sessions/runner.ts";
import { createShells } from "./sessions/shells/shells.ts";
import { createShellStarter } from "./sessions/shells/start-shell.ts";
import { createSnapshots } from "./sessions/snapshots.ts";
import { createSteadyClock } from "./sessions/steady-clock.ts";
import { createSessionRows, requireMayLeave } from "./sessions/store.ts";
import { sweep } from "./sessions/sweep.ts";
import { createTrash } from "./sessions/trash.ts";
import { createTerminalFinder } from "./sessions/viewers/find-terminal.ts";
import { createSessionList } from "./sessions/viewers/session-list.ts";
import { createTerminalSockets } from "./sessions/viewers/sockets.ts";
import { createTerminals } from "./sessions/viewers/terminals.ts";
import { createTasks } from "./tasks/tasks.ts";
import { createUsage } from "./tasks/usage.ts";

const CLIENT_DIR = join(import.meta.dir, "../../dist/client");
/** By then the page has loaded. */
const SPARE_HOST_AFTER_MS = 1_000;
/** How long a stopping server waits for running operations. What takes longer continues after the next start. */
const LAST_STEPS_MS = 2_000;
const PURGE_EVERY_MS = 6 * 3_600_000;
/**
 * Of a request's headers. Pages on other ports can set cookies for this one too, and browsers send all of them: at most
 * 180 of 4 KB each. Bun's own limit of 16 KB would let such a page shut the owner out.
 */
const HEADER_BYTES = 1_048_576;

interface ServeOptions {
  config: Config;
  log: Log;
  /** The person chose this one of a data directory and its copy. */
  goesOnHere?: boolean;
  /** Called after every step that is on disk. Tests end the process there. */
  checkpoint?(step: string): void;
  /** Off in tests with few and short sessions. */
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
  goesOnHere = false,
  checkpoint = () => {},
  keepsSpareHost = true,
}: ServeOptions): Promise<Serving> {
  const dataDir = claimDataDir(config.dataDir);
  requireNotLost(config.dataDir);
  const identified = await identify(config.dataDir, { goesOnHere });
  const token = loadToken(dataDir);
  const store = openDatabase(config.dataDir);
  const events = createEvents({ log });
  const logins = createLogins({ store, token });
  const keys = createIdempotencyKeys({ store });
  const origins = createOrigins(config);
  const paths = createSessionPaths(config.dataDir);
  const audit = createAudit({ store, events });
  const agents = createAgents({
    file: dataDir.path("agents.toml"),
    claudeExecutable: config.claudeExecutable,
    env: process.env,
    changed: noteAgentsFile({ audit, log }),
  });
  const runDir = createRunDir(dataDir.path("run"));
  const spareHost = createSpareHost({ log, isKept: keepsSpareHost });
  const projects = createProjects({ store, events, agents, audit });
  const tasks = createTasks({ store, events, agents, audit, requireMayLeave });
  const queue = createKeyedQueue();
  const rows = createSessionRows({ store, events });
  const trail = createAskTrail({ audit, find: rows.find, log });
  const base = {
    ...{ config, log, checkpoint, events, agents, audit, trail, tasks, paths, runDir, spareHost, rows },
    hosts: createHostStarter({ runDir, config }),
    readiness: createHostReadiness(),
    queue,
    typing: createKeyedQueue(),
  };
  const starter = createShellStarter({
    ...base,
    environment: (ids) => agentEnvironment({ base: process.env, ...ids }),
  });
  const shells = createShells({ ...base, ...starter });
  const files = createTaskFiles({ root: dataDir.path("files"), requireWorktree: starter.requireWorktree });
  const runner = createRunner({
    ...base,
    ...{ projects, files, stopShells: shells.stopShells },
    read: (taskId) => prompts.wake(taskId),
  });
  const finder = createTerminalFinder({ ...base, runner });
  const clock = createSteadyClock({
    file: dataDir.path("clock.json"),
    write: (content) => dataDir.writePrivate("clock.json", content),
    isNew: store.db.select().from(sessionLogs).limit(1).get() === undefined,
  });
  const snapshots = createSnapshots({ ...base, store });
  const trash = createTrash({ ...base, store, clock, snapshots });
  const sockets = createTerminalSockets({ ...base, logins });
  const terminals = createTerminals(base);
  const prompts = createPrompts({ ...base, store, runner, finder, terminals });
  const app = createApp({
    tasks,
    finder,
    files,
    shells,
    sessions: createSessionList({ tasks, finder, shells, runner }),
    terminals,
    prompts,
    sockets,
    trail,
    projects,
    repositories: createRepositoryFinder(config.projectRoots),
    runner,
    trash,
    snapshots,
    usage: createUsage({ store, costOf: (id) => runner.gauges(id)?.costUsd ?? null }),
    agents,
    audit,
    events,
    logins,
    origins,
    assets: loadAssets(CLIENT_DIR),
    keys,
    token,
    log,
    checkpoint,
  });
  if (identified.before !== undefined) {
    await followMove({
      repositories: projects.repositories(),
      worktrees: paths.worktrees,
      before: identified.before,
    });
  }
  identified.settle();
  await sweep({ ...base, root: config.dataDir, repositories: projects.repositories() });
  await shells.recover();
  await runner.recover();
  prompts.recover();
  Object.assign(http, { maxHeaderSize: HEADER_BYTES }); // holds for Bun.serve too
  app.listen({
    hostname: config.host,
    port: config.port,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    // Bodies far over any limit are refused unread. Every route has its own, lower limit.
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

  void agents.prepare(DEFAULT_AGENT).catch(() => {}); // starting it will say what is wrong
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
      prompts.dispose();
      runner.dispose();
      spareHost.dispose();
      store.close();
      dataDir.release();
    },
  };
}
