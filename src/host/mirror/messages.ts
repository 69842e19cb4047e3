// What the host's thread and the mirror's worker say to each other.

import type { Happening } from "../../vt/sticky.ts";
import type { SharedRing } from "../ring.ts";
import type { SizeChange } from "../size-log.ts";
import type { Theme } from "./queries.ts";
import type { Screen } from "./terminal.ts";

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
  toldTo?: number;
  /** The same, as hosts say it that were started before it had that name. */
  answerFrom?: number;
  version: string;
  theme: Theme;
  /** See gate.ts; absent from hosts that were started before there was one. */
  gate?: SharedArrayBuffer;
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
  | { type: "happening"; happening: Happening; offset: number }
  | SnapshotReply
  | { type: "screen"; id: number; offset: number; screen: Screen }
  | { type: "failed"; message: string };
