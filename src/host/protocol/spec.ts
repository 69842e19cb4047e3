// What a session host is told when it starts. It comes over standard input, and never in the arguments, which every
// user of the machine can read.
import { isAbsolute } from "node:path";
import { SIZE_LIMITS } from "../../contract.ts";
import { claimPathFor } from "./claim.ts";
import { LaunchError } from "./launch-error.ts";

export interface Theme {
  /** `rgb:rrrr/gggg/bbbb`, as OSC 10 and 11 answer it. */
  foreground: string;
  background: string;
}

export interface SignalSpec {
  /**
   * A file for the program, written before it starts. `@PORT@` and `@SECRET@` are replaced by how to reach the host.
   */
  file: string;
  template: string;
  /** A file that the program replaces to report something, which becomes a signal with the file's name. */
  drop?: string;
}

export interface HostSpec {
  sessionId: string;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  socketPath: string;
  /** Creating this file gives the right to start the session's program; see claim.ts. */
  claimPath: string;
  /** Where the exit record goes. */
  recordPath: string;
  /** Where the host logs that it started and how it ended. */
  logPath: string;
  bufferSize: number;
  /** Seconds an unwatched session is kept; 0 is for ever. */
  orphanSeconds: number;
  /** Seconds a host stays after the end if nobody collects the record. */
  lingerSeconds: number;
  /** How long a stopped program has before it is killed. */
  stopGraceMs: number;
  theme: Theme;
  /** How the program can talk to the host apart from its terminal. */
  signals?: SignalSpec;
  /** How long the mirror may be silent before it is replaced. */
  mirrorPatienceMs: number;
  /** Another engine than ghostty-web's, for tests in which it misbehaves. */
  engine?: string;
}

type Optional = "claimPath" | keyof typeof DEFAULTS;
export type HostRequest = Omit<HostSpec, Optional> & Partial<Pick<HostSpec, Optional>>;

const DEFAULTS = {
  bufferSize: 1_048_576,
  orphanSeconds: 0,
  lingerSeconds: 86_400,
  stopGraceMs: 3_000,
  theme: { foreground: "rgb:cccc/cccc/cccc", background: "rgb:0000/0000/0000" },
  mirrorPatienceMs: 5_000,
};

/** The kernel's limit for the address of a unix socket, without the closing zero. */
export const SOCKET_PATH_BYTES = 107;

export const isSize = (cols: unknown, rows: unknown): boolean =>
  Number.isInteger(cols) &&
  Number.isInteger(rows) &&
  Number(cols) >= SIZE_LIMITS.cols[0] &&
  Number(cols) <= SIZE_LIMITS.cols[1] &&
  Number(rows) >= SIZE_LIMITS.rows[0] &&
  Number(rows) <= SIZE_LIMITS.rows[1];

export function completeSpec(request: HostRequest): HostSpec {
  const spec = { ...DEFAULTS, claimPath: claimPathFor(request.socketPath), ...request };
  const require = (holds: boolean, message: string) => {
    if (!holds) throw new LaunchError("invalid", `session host: ${message}`);
  };
  require(/^[\w-]{1,64}$/.test(spec.sessionId), "sessionId must be 1 to 64 letters, digits, - or _");
  require(spec.argv.length > 0 && spec.argv[0] !== "", "argv must name a program");
  require(isSize(spec.cols, spec.rows), "the size must be 2–500 columns and 1–300 rows");
  require(Number.isInteger(spec.bufferSize) && spec.bufferSize > 0, "bufferSize must be a number of bytes");
  for (const path of [spec.cwd, spec.socketPath, spec.claimPath, spec.recordPath, spec.logPath]) {
    require(isAbsolute(path), `${path} must be an absolute path`);
  }
  const length = Buffer.byteLength(spec.socketPath);
  require(length <=
    SOCKET_PATH_BYTES, `the socket's path is ${length} bytes long and the system takes ${SOCKET_PATH_BYTES}; choose a shorter data directory (${spec.socketPath})`);
  return spec;
}
