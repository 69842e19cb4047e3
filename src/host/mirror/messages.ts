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
  /** Where in the stream to begin, and the size at that point. */
  offset: number;
  cols: number;
  rows: number;
  /** The serial number of that size. */
  resizes: number;
  /** Everything up to this offset has been reported and answered already. */
  toldTo: number;
  version: string;
  theme: Theme;
  /** See engine-calls.ts. Absent from older hosts, which ran from the sources and load this worker if theirs hangs. */
  calls?: SharedArrayBuffer;
}

export type ToWorker =
  | Start
  /** Read up to `until`, but only control sequences up to `skimUntil`. */
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
  /** It is ready. */
  | { type: "started" }
  | { type: "at"; offset: number }
  /** An answer to the query that ends at this offset. */
  | { type: "answer"; text: string; offset: number }
  | { type: "event"; event: TerminalEvent; offset: number }
  | SnapshotReply
  | { type: "screen"; id: number; offset: number; screen: Screen }
  | { type: "failed"; message: string };
