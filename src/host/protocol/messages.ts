// What a session host and its clients tell each other, in the JSON of their frames.
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
  /**
   * The viewer acknowledges what it has drawn, and is sent no more than ACK_WINDOW beyond that. One
   * that does not say so is held to it from its first acknowledgement on.
   */
  acks?: boolean;
  /** The state, and not the bytes that led to it: they are what broke this viewer's emulator. */
  snapshot?: boolean;
}

export interface Attached {
  viewer: number;
  replay: Replay;
  /** Where the output that follows begins; a snapshot stands for everything before. */
  offset: number;
  /** How long the snapshot is that comes first; 0 when none does. */
  snapshotBytes: number;
  cols: number;
  rows: number;
}

export interface Resync {
  offset: number;
  /** Bytes of output this viewer will never see as such. */
  lost: number;
  snapshotBytes: number;
  cols: number;
  rows: number;
}

export interface Status {
  sessionId: string;
  /** Of the host, and of the program in the terminal. */
  hostPid: number;
  pid: number;
  startedAt: string;
  cols: number;
  rows: number;
  viewers: number;
  /** Bytes of output so far. */
  offset: number;
  title: string;
  /** When the title was last another one, in milliseconds since 1970; absent from hosts of an earlier banto. */
  titleAt?: number;
  cwd: string;
  /** No output for a while, or none at all yet. */
  quiet: boolean;
  lastOutputAt: string | null;
  exit: Exit | null;
  /** The end as its record has it, which a full disk may not have taken; absent from hosts of an earlier banto. */
  record?: ExitRecord | null;
  /** How often the mirror had to be rebuilt: a figure for the log, not for people. */
  mirrorRestarts: number;
  /** It listens to what the program says beside the terminal; absent from hosts of an earlier banto. */
  hasSignals?: boolean;
}

export interface Screen {
  text: string;
  cols: number;
  rows: number;
  cursor: { x: number; y: number };
  alternate: boolean;
  /** The program wants to be told what is pasted and what is typed. */
  bracketedPaste: boolean;
  title: string;
  cwd: string;
}

export interface Signal {
  /** As the program calls it: the last part of the address it posts to. */
  name: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Rises with every signal of a session. */
  serial: number;
  /** What was posted, as text; null when that is too long to keep. */
  body: string | null;
  /** Held open until it is answered under this id. */
  ask?: string;
}

export type SignalEvent =
  | { type: "signal"; signal: Signal }
  /** `withdrawn`: whoever asked has gone. */
  | { type: "over"; ask: string; how: "answered" | "withdrawn" };

/** Everything somebody who was away needs. */
export interface SignalsNow {
  /** The newest of each name, oldest first. */
  latest: Signal[];
  /** Still held open, oldest first. */
  asks: Signal[];
}

/** Whether the program is printing. */
export type Activity = { type: "output" } | { type: "quiet" };

export type HostEvent = TerminalEvent | Activity | SignalEvent | ({ type: "exit"; reason: string } & Exit);
