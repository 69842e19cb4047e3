// Environment → parts → listen. The only file of the server that exits or writes to standard output.

import { join } from "node:path";
import { openStore } from "../db/open.ts";
import { createApp } from "./app.ts";
import { createLogins } from "./auth/logins.ts";
import { createOrigins } from "./auth/origins.ts";
import { loadToken } from "./auth/token.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { claimDataDir, DataDirError } from "./data-dir.ts";
import { createEvents } from "./events.ts";
import { loadAssets } from "./http/assets.ts";
import { createLog } from "./log.ts";
import { requestLoginLink } from "./login-command.ts";
import { createProjects } from "./projects.ts";
import { createRepositoryFinder } from "./repositories.ts";
import { loginLink } from "./routes/login.ts";
import { createTasks } from "./tasks.ts";

const CLIENT_DIR = join(import.meta.dir, "../../dist/client");
const STOP_LIMIT_MS = 4_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

function fail(message: string, code: number): never {
  process.stderr.write(`banto: ${message}\n`);
  process.exit(code);
}

function serve(config: Config) {
  const log = createLog((line) => process.stderr.write(line));
  const dataDir = claimDataDir(config.dataDir);
  const token = loadToken(dataDir);
  const store = openDatabase(dataDir.path("banto.db"));
  const events = createEvents();
  const logins = createLogins({ store, token });
  const origins = createOrigins(config);
  const app = createApp({
    tasks: createTasks({ store, events }),
    projects: createProjects({ store, events }),
    repositories: createRepositoryFinder(config.projectRoots),
    events,
    logins,
    origins,
    assets: loadAssets(CLIENT_DIR),
    log,
  });
  app.listen({
    hostname: config.host,
    port: config.port,
    reusePort: false,
    idleTimeout: 30,
    maxRequestBodySize: 16 << 20,
  });
  const server = app.server;
  if (server === null || server.port === undefined) throw new Error("Elysia did not start a server");
  origins.listening(server.port);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info(`${signal}: stopping`);
    setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
    await server.stop(true);
    store.close();
    dataDir.release();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  const url = `${origins.local()}/`;
  dataDir.announce({ pid: process.pid, url });
  print(`banto ready ${url}`);
  print(`log in: ${loginLink({ logins, origins }).url}`);
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

function explain(error: unknown, config: Config): never {
  if (error instanceof DataDirError) fail(error.message, 1);
  const { code, syscall } = error as { code?: string; syscall?: string };
  const where = `${config.host}:${config.port}`;
  if (code === "EADDRINUSE")
    fail(`${where} is taken by another program; stop it, or set BANTO_PORT to a free port (0 picks one)`, 1);
  if (code === "EACCES") fail(`may not listen on ${where}; set BANTO_PORT to a port above 1023`, 1);
  if (syscall === "listen")
    fail(`cannot listen on ${where} (${code}); set BANTO_HOST to an address of this machine`, 1);
  throw error;
}

const USAGE = `usage: banto          serve the board
       banto login    print a new one-time login link for the server that is running
       banto --version`;

async function main(args: string[]) {
  const [command, ...rest] = args;
  if (rest.length > 0 || (command !== undefined && !["login", "--version", "--help"].includes(command))) {
    fail(`unknown arguments: ${args.join(" ")}\n${USAGE}`, 2);
  }
  if (command === "--help") return print(USAGE);
  if (command === "--version") return print((await import("../../package.json")).version);
  const config = readConfig(process.env);
  if (command === "login") return print(await requestLoginLink(config.dataDir));
  try {
    serve(config);
  } catch (error) {
    explain(error, config);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof ConfigError) fail(error.message, 2);
  if (error instanceof DataDirError) fail(error.message, 1);
  throw error;
}
