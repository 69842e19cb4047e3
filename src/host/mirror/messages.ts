// What the host's thread and the mirror's worker say to each other.

import type { TerminalEvent } from "../../vt/sticky.ts";
import type { Screen } from "../protocol/messages.ts";
import type { Theme } from "../protocol/spec.ts";
import type { SharedRing } from "../terminal/ring.ts";
import type { SizeChange } from "../terminal/size-log.ts";

export interface Start {
  type: "start";
  ring: SharedRing;
  /** Path of the engine's WebAssembly. */
  engine: string;
  /** Where in the stream to begin, and the size in force there. */
  offset: number;
  cols: number;
  rows: number;
  /** The serial number of that size. */
  resizes: number;
  /** What ended at this offset or before has been told and answered already. */
  toldTo: number;
  version: string;
  theme: Theme;
  /** See engine-calls.ts. Absent from hosts that still run from sources: they load this worker when theirs hangs. */
  calls?: SharedArrayBuffer;
}

export type ToWorker =
  | Start
  /** Read on to `until`; first, up to `skimUntil`, only the control sequences. */
  | { type: "follow"; until: number; skimUntil: number; sizes: SizeChange[] }
  | { type: "snapshot"; id: number }
  | { type: "screen"; id: number };

export interface SnapshotReply {
  type: "snapshot";
  id: number;
  bytes: Uint8Array;
  offset: number;
  cols: number;
  rows: number;
  /** The serial number of the last change of size it has seen. */
  resizes: number;
}

export type FromWorker =
  /** It is ready, and may be left in peace. */
  | { type: "started" }
  | { type: "at"; offset: number }
  /** To what ends at this offset. */
  | { type: "answer"; text: string; offset: number }
  | { type: "event"; event: TerminalEvent; offset: number }
  | SnapshotReply
  | { type: "screen"; id: number; offset: number; screen: Screen }
  | { type: "failed"; message: string };
