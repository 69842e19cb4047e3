import { expect, test } from "bun:test";
import { CELL_BYTES, createEngine } from "../../src/vt/engine.ts";
import { engineModule } from "../host/support/emulator.ts";

const COLS = 80;
const LINE = COLS * CELL_BYTES;

test("reading much of the history takes no more of the engine's memory than reading a little", () => {
  const engine = createEngine(engineModule, {
    cols: COLS,
    rows: 24,
    scrollback: 10_000_000,
    foreground: 0,
    background: 0,
    palette: [],
  });
  const lines = Array.from({ length: 6_000 }, (_, i) => `line ${i}\r\n`);
  engine.write(new TextEncoder().encode(lines.join("")));
  engine.history(0, 100);
  const before = engine.memory().buffer.byteLength;
  const all = engine.history(0, 5_000);
  for (const count of [1_000, 2_000, 4_000]) engine.history(0, count);
  expect(engine.memory().buffer.byteLength).toBe(before);
  for (const line of [0, 63, 64, 255, 4_999])
    expect(all.subarray(line * LINE, (line + 1) * LINE)).toEqual(engine.history(line, 1));
});
