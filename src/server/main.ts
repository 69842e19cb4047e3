// Environment → serve. The only file of the server that exits or writes to standard output.

import { requestLoginLink } from "./auth/login-command.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { DataDirError } from "./data-dir.ts";
import { goesIntoJournal } from "./journal.ts";
import { createLog } from "./log.ts";
import { systemFailure } from "./system-failure.ts";

const STOP_LIMIT_MS = 4_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

function fail(message: string, code: number): never {
  process.stderr.write(`banto: ${message}\n`);
  process.exit(code);
}

async function run(config: Config, goesOnHere: boolean) {
  // Only this needs packages, so the other commands work while those are missing, stale or being installed.
  const { serve } = await import("./serve.ts");
  const log = createLog((line) => process.stderr.write(line));
  const { url, loginUrl, stop } = await serve({ config, log, goesOnHere });
  let stopping = false;
  const end = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info(`${signal}: stopping`);
    setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
    await stop();
    process.exit(0);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  print(`banto ready ${url}`);
  const isKept = goesIntoJournal(process.stdout.fd, process.env.JOURNAL_STREAM);
  print(`log in: ${isKept ? "run bin/banto login to get a link (not logged here)" : loginUrl}`);
}

function explain(error: unknown, config: Config): never {
  if (error instanceof DataDirError) fail(error.message, 1);
  const known = systemFailure(error);
  if (known !== undefined) fail(known.message, 1);
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (path?.startsWith(config.dataDir))
    fail(
      `cannot use ${path} (${code}); make sure it is yours, or set BANTO_DATA_DIR to another directory`,
      1,
    );
  if (syscall !== "listen") throw error;
  const where = `${config.host}:${config.port}`;
  if (code === "EADDRINUSE")
    fail(`${where} is taken by another program; stop it, or set BANTO_PORT to a free port (0 picks one)`, 1);
  if (code === "EACCES") fail(`not allowed to listen on ${where}; set BANTO_PORT to a port above 1023`, 1);
  fail(`cannot listen on ${where} (${code}); set BANTO_HOST to an address of this machine`, 2);
}

const USAGE = `usage: banto          serve the board
       banto login    print a new one-time login link for the server that is running
       banto --go-on-here   of a data directory and its copy, use this one from now on
       banto --version`;

// A closed terminal, a reader that went away or a full disk is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

async function main(args: string[]) {
  const [command, ...rest] = args;
  if (
    rest.length > 0 ||
    (command !== undefined && !["login", "--go-on-here", "--version", "--help"].includes(command))
  ) {
    fail(`unknown arguments: ${args.join(" ")}\n${USAGE}`, 2);
  }
  if (command === "--help") return print(USAGE);
  if (command === "--version") return print((await import("../../package.json")).version);
  const config = readConfig(process.env);
  if (command === "login") return print(await requestLoginLink(config.dataDir));
  try {
    await run(config, command === "--go-on-here");
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
