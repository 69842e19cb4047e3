// The mirror's own thread: reads the ring, keeps the terminal, and answers when spoken to. Whatever
// goes wrong in here is reported once and then waits to be replaced.
import { readFileSync } from "node:fs";
import type { Happening } from "../../vt/sticky.ts";
import { Newest } from "../newest.ts";
import { createRingReader } from "../ring.ts";
import type { SizeChange } from "../size-log.ts";
import { createGate, guard } from "./gate.ts";
import type { FromWorker, Start, ToWorker } from "./messages.ts";
import { createTerminal } from "./terminal.ts";

declare const self: Worker;

/** Long enough that of a flood of lines most can be left out. */
const SLICE = 262_144;

const tell = (message: FromWorker) => self.postMessage(message);

function createFollower(start: Start) {
  const reader = createRingReader(start.ring);
  let offset = start.offset;
  let size = { cols: start.cols, rows: start.rows };
  let resizes = start.resizes;
  /** A host that is older than this file, and runs on, has another name for it. */
  const toldTo = start.toldTo ?? start.answerFrom ?? 0;
  const happened = new Newest<{ happening: Happening; offset: number }>(({ happening }) => happening.type);
  const tellHappened = () => {
    for (const what of happened.take()) tell({ type: "happening", ...what });
  };
  const terminal = createTerminal({
    module: new WebAssembly.Module(readFileSync(start.engine)),
    ...size,
    version: start.version,
    theme: start.theme,
    tell(happening, end) {
      if (offset + end > toldTo) happened.add({ happening, offset: offset + end });
    },
    answer(text, end) {
      if (offset + end <= toldTo) return;
      tellHappened(); // whatever is told goes out in the order of the stream
      tell({ type: "answer", text, offset: offset + end });
    },
    guard: guard(start.gate ?? createGate()),
  });

  const readTo = (until: number, skim: boolean) => {
    while (offset < until) {
      const bytes = reader.read(offset, Math.min(SLICE, until - offset));
      // None if they were overwritten before they could be read: what comes next is all there is.
      if (bytes !== undefined && skim) terminal.skim(bytes);
      else if (bytes !== undefined) terminal.feed(bytes);
      offset = Math.min(until, offset + SLICE);
    }
  };

  return {
    follow(until: number, skimUntil: number, sizes: SizeChange[]) {
      const readOn = (stop: number) => {
        readTo(Math.min(stop, skimUntil), true);
        readTo(stop, false);
      };
      for (const change of sizes) {
        readOn(Math.min(change.offset, until));
        resizes = change.serial;
        if (change.cols === size.cols && change.rows === size.rows) continue;
        size = { cols: change.cols, rows: change.rows };
        terminal.resize(size.cols, size.rows);
      }
      readOn(until);
      tellHappened();
      tell({ type: "at", offset });
    },
    snapshot(id: number) {
      tell({ type: "snapshot", id, bytes: terminal.snapshot(), offset, resizes, ...size });
    },
    screen: (id: number) => tell({ type: "screen", id, offset, screen: terminal.screen() }),
  };
}

let follower: ReturnType<typeof createFollower> | undefined;

function receive(message: ToWorker): void {
  if (message.type === "start") {
    follower = createFollower(message);
    tell({ type: "started" });
  } else if (message.type === "follow") follower?.follow(message.until, message.skimUntil, message.sizes);
  else if (message.type === "snapshot") follower?.snapshot(message.id);
  else follower?.screen(message.id);
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  try {
    receive(event.data);
  } catch (error) {
    follower = undefined;
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
};
