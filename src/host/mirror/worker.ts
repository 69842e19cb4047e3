// The mirror's own thread: reads the ring, keeps the terminal, and answers questions. After a failure it reports once,
// and waits to be replaced.
import { readFileSync } from "node:fs";
import type { TerminalEvent } from "../../vt/sticky.ts";
import { createRingReader } from "../terminal/ring.ts";
import type { SizeChange } from "../terminal/size-log.ts";
import { createCallState, guardCalls } from "./engine-calls.ts";
import { NewestEvents } from "./events.ts";
import type { FromWorker, Start, ToWorker } from "./messages.ts";
import { ENOUGH_BYTES } from "./rest.ts";
import { createTerminal } from "./terminal.ts";

declare const self: Worker;

/** Bytes to skim at a time. What is overwritten meanwhile is lost. */
const SKIMMED = 262_144;

const tell = (message: FromWorker) => self.postMessage(message);

function createFollower(start: Start) {
  const reader = createRingReader(start.ring);
  let offset = start.offset;
  let size = { cols: start.cols, rows: start.rows };
  let resizes = start.resizes;
  const events = new NewestEvents<{ event: TerminalEvent; offset: number }>();
  const tellEvents = () => {
    for (const { event, offset } of events.take()) tell({ type: "event", event, offset });
  };
  const terminal = createTerminal({
    module: new WebAssembly.Module(readFileSync(start.engine)),
    ...size,
    version: start.version,
    theme: start.theme,
    tell(event, end) {
      if (offset + end > start.toldTo) events.add({ event, offset: offset + end });
    },
    answer(text, end) {
      if (offset + end <= start.toldTo) return;
      tellEvents(); // keeps events and answers in the order of the stream
      tell({ type: "answer", text, offset: offset + end });
    },
    guard: guardCalls(start.calls ?? createCallState()),
  });

  const readTo = (until: number, skim: boolean) => {
    while (offset < until) {
      const length = Math.min(skim ? SKIMMED : ENOUGH_BYTES, until - offset);
      const bytes = reader.read(offset, length);
      // Undefined if they were overwritten before they could be read. Then it continues with what follows.
      if (bytes !== undefined && skim) terminal.skim(bytes);
      else if (bytes !== undefined) terminal.feed(bytes);
      offset += length;
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
      tellEvents();
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
