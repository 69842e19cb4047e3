// The JSON messages between a session host and its clients.
import type { ProgramReport } from "../../vt/program-status.ts";
import type { TerminalEvent } from "../../vt/sticky.ts";
import type { Exit, ExitRecord } from "./exit-record.ts";

export interface Size {
  cols: number;
  rows: number;
}

type Replay = "full" | "delta" | "snapshot";

export interface AttachRequest {
  /** The last offset the viewer has; absent for a new one. */
  from?: number;
  cols?: number;
  rows?: number;
  /** Send the state instead of the bytes that led to it, because those broke this viewer's emulator. */
  snapshot?: boolean;
}

export interface Attached {
  viewer: number;
  replay: Replay;
  /** Where the following output begins. A snapshot covers everything before. */
  offset: number;
  /** The length of the snapshot that comes first; 0 for none. */
  snapshotBytes: number;
  cols: number;
  rows: number;
}

export interface Resync {
  offset: number;
  /** Bytes of output that this viewer will never get. */
  lost: number;
  snapshotBytes: number;
  cols: number;
  rows: number;
}

export interface Status {
  sessionId: string;
  /** Process ids of the host and of the program in the terminal. */
  hostPid: number;
  pid: number;
  startedAt: string;
  cols: number;
  rows: number;
  viewers: number;
  /** Bytes of output so far. */
  offset: number;
  title: string;
  /** When the title last changed, in milliseconds since 1970; absent from older hosts. */
  titleAt?: number;
  cwd: string;
  /** No output for a while, or none yet. */
  quiet: boolean;
  lastOutputAt: string | null;
  exit: Exit | null;
  /** The exit record, which a full disk may have kept from being written; absent from older hosts. */
  record?: ExitRecord | null;
  /** How often the mirror had to be replaced: for the log, not for people. */
  mirrorRestarts: number;
  /** It listens to what the program says beside the terminal; absent from hosts of an earlier banto. */
  hasSignals?: boolean;
  /** What programs say of themselves; absent from hosts of an earlier banto. */
  programs?: Program[];
}

/** The last report of one id (OSC 7501), oldest first. */
export interface Program extends ProgramReport {
  /** Milliseconds since 1970. */
  at: number;
  /** Rises with every report of a session. */
  serial: number;
}

export interface Screen {
  text: string;
  cols: number;
  rows: number;
  cursor: { x: number; y: number };
  alternate: boolean;
  /** The program wants to know what is pasted and what is typed. */
  bracketedPaste: boolean;
  title: string;
  cwd: string;
}

export interface Signal {
  /** The program's name for it: the last part of the URL it posts to. */
  name: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Goes up with every signal of a session. */
  serial: number;
  /** What was posted, as text; null if it is too long to keep. */
  body: string | null;
  /** Set if it is held open until it is answered with this id. */
  ask?: string;
}

export type SignalEvent =
  | { type: "signal"; signal: Signal }
  /** `withdrawn`: the program stopped waiting. */
  | { type: "over"; ask: string; how: "answered" | "withdrawn" };

/** Everything a client needs that was not connected. */
export interface SignalsNow {
  /** The newest of each name, oldest first. */
  latest: Signal[];
  /** Asks that are still held open, oldest first. */
  asks: Signal[];
}

/** Whether the program is printing. */
export type Activity = { type: "output" } | { type: "quiet" };

/** A terminal's event as clients are told it: of programs all that stands. */
export type ToldEvent =
  | Exclude<TerminalEvent, { type: "program" }>
  | { type: "programs"; programs: Program[] };

export type HostEvent = ToldEvent | Activity | SignalEvent | ({ type: "exit"; reason: string } & Exit);
