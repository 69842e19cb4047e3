import { availableParallelism, homedir, totalmem } from "node:os";
import { isAbsolute, join } from "node:path";

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** Origins under which a reverse proxy serves banto. */
  publicOrigins: string[];
  /** Where the page may look for repositories to suggest. */
  projectRoots: string[];
  /** Sessions that may run at once. */
  maxSessions: number;
  /** Days to keep snapshots; 0 = for ever. */
  snapshotDays: number;
  /** The program run as Claude: a name looked up on PATH, or an absolute path. */
  claudeExecutable: string;
  /** Bytes of output kept per session. */
  outputBufferBytes: number;
  /** Seconds an unwatched session is kept; 0 = for ever. */
  orphanGraceSeconds: number;
}

export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

// setTimeout counts milliseconds in 31 bits and fires at once beyond that.
const LONGEST_TIMER_S = 2_147_483;

/** Reads every variable banto knows, so that a bad value is reported before anything else happens. */
export function readConfig(env: Environment): Config {
  const host = env.BANTO_HOST || "127.0.0.1";
  const publicOrigins = list(env.BANTO_PUBLIC_ORIGIN, ",").map(parseOrigin);
  requireSafeBind(host, publicOrigins, env.BANTO_INSECURE_BIND);
  return {
    host,
    port: wholeNumber(env, "BANTO_PORT", 4780, 0, 65_535),
    dataDir: dataDir(env),
    publicOrigins,
    projectRoots: [homedir(), ...list(env.BANTO_PROJECT_ROOTS, ":").map(parseRoot)],
    maxSessions: wholeNumber(env, "BANTO_MAX_SESSIONS", sessionsThisMachineBears(), 1, 1_000),
    snapshotDays: wholeNumber(env, "BANTO_SNAPSHOT_DAYS", 90, 0, 36_500),
    claudeExecutable: program(env, "CLAUDE_CODE_EXECUTABLE", "claude"),
    outputBufferBytes: wholeNumber(env, "PTY_OUTPUT_BUFFER_SIZE", 1 << 20, 1_024, 1 << 30),
    orphanGraceSeconds: wholeNumber(env, "PTY_ORPHAN_GRACE_PERIOD", 0, 0, LONGEST_TIMER_S),
  };
}

function list(value: string | undefined, separator: string): string[] {
  return (value ?? "")
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = env[name];
  if (value === undefined || value === "") return fallback;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigError(`${name} is ${JSON.stringify(value)}; expected a whole number from ${min} to ${max}`);
}

/** An agent mostly waits for its model: four share a core, and each wants about a gigabyte. */
function sessionsThisMachineBears(): number {
  return Math.max(1, Math.min(4 * availableParallelism(), Math.floor(totalmem() / 2 ** 30)));
}

function program(env: Environment, name: string, fallback: string): string {
  const value = env[name];
  if (value === undefined || value === "") return fallback;
  if (isAbsolute(value) || !value.includes("/")) return value;
  throw new ConfigError(
    `${name} is ${JSON.stringify(value)}; expected an absolute path, or the name of a program on PATH`,
  );
}

function dataDir(env: Environment): string {
  const given = env.BANTO_DATA_DIR;
  if (given && !isAbsolute(given)) {
    throw new ConfigError(`BANTO_DATA_DIR is ${JSON.stringify(given)}; expected an absolute path`);
  }
  if (given) return given;
  const xdg = env.XDG_DATA_HOME;
  // The XDG specification says to ignore a relative value.
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".local", "share"), "banto");
}

function parseOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash;
  if (isOrigin && !url.username) return url.origin;
  throw new ConfigError(
    `BANTO_PUBLIC_ORIGIN has ${JSON.stringify(value)}; expected origins such as https://banto.example.org, separated by commas`,
  );
}

function parseRoot(value: string): string {
  if (isAbsolute(value)) return value;
  throw new ConfigError(
    `BANTO_PROJECT_ROOTS has ${JSON.stringify(value)}; expected absolute paths separated by colons`,
  );
}

/** A page with a terminal is a remote shell: plain HTTP stays on this machine unless asked for by name. */
function requireSafeBind(host: string, publicOrigins: string[], insecure: string | undefined) {
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) {
    throw new ConfigError(`BANTO_HOST is ${JSON.stringify(host)}; expected an address such as 127.0.0.1`);
  }
  if (insecure !== undefined && !["", "0", "1"].includes(insecure)) {
    throw new ConfigError(`BANTO_INSECURE_BIND is ${JSON.stringify(insecure)}; expected 1 or nothing`);
  }
  const hasTls = publicOrigins.some((origin) => origin.startsWith("https:"));
  if (LOOPBACK.includes(host) || hasTls || insecure === "1") return;
  throw new ConfigError(
    `BANTO_HOST is ${JSON.stringify(host)}, which other machines can reach without encryption; put a TLS proxy in front and name its address in BANTO_PUBLIC_ORIGIN=https://…, or set BANTO_INSECURE_BIND=1 if you mean it`,
  );
}
