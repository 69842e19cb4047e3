// A viewer with a real emulator behind it: what the page does with what a session host sends.
import type { Attached } from "../../../src/host/protocol/messages.ts";
import { createEmulator, look } from "./emulator.ts";
import type { TestHost } from "./host.ts";

const PATIENCE_MS = 60_000;

export async function watchScreen(host: TestHost) {
  let emulator = createEmulator(2, 1);
  let offset = 0;
  let attached: Attached | undefined;
  let resyncs = 0;
  const live = Promise.withResolvers<void>();
  const exit = Promise.withResolvers<void>();
  const waiting = new Set<() => void>();
  const arrived = () => {
    for (const look of waiting) look();
  };
  const client = await host.connect({
    attached(told) {
      attached = told;
      offset = told.offset;
      emulator = createEmulator(told.cols, told.rows);
    },
    resync(to) {
      resyncs++;
      offset = to.offset;
      emulator = createEmulator(to.cols, to.rows);
    },
    snapshot: (state) => emulator.write(state.slice()),
    output(chunk, at) {
      if (at !== offset) throw new Error(`a gap or a repeat: ${offset} then ${at}`);
      offset += chunk.length;
      emulator.write(chunk.slice());
      arrived();
    },
    size(to) {
      emulator.resize(to.cols, to.rows);
      arrived();
    },
    live: () => live.resolve(),
    exit: () => exit.resolve(),
  });
  client.attach();
  await live.promise;

  const until = (holds: () => boolean, what: string) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`a viewer never saw ${what}; it is at ${offset}`));
      }, PATIENCE_MS);
      const look = () => {
        if (!holds()) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });

  return {
    client,
    replay: () => attached?.replay,
    resyncs: () => resyncs,
    look: () => look(emulator),
    sees: (bytes: number) => until(() => offset >= bytes, `byte ${bytes}`),
    has: ({ cols, rows }: { cols: number; rows: number }) =>
      until(() => emulator.cols === cols && emulator.rows === rows, `${cols}x${rows}`),
    exit: exit.promise,
  };
}
