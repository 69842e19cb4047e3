import { ptr } from "bun:ffi";
import { expect, test } from "bun:test";
import { condemn, createGate, guard } from "../../src/host/mirror/gate.ts";

/** Stands in for an engine: what it does when it is called is the test's. */
function engine(gate: SharedArrayBuffer, work: () => void) {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const { write } = guard(gate)({ memory, write: work });
  return { memory, write: write as () => void };
}

test("an engine that nobody is inside of can't be taken away, however long its worker is silent", () => {
  const gate = createGate();
  const { write } = engine(gate, () => {});
  expect(condemn(gate)).toBeUndefined();
  write();
  expect(condemn(gate)).toBeUndefined();
  const { write: fails } = engine(gate, () => {
    throw new Error("a trap");
  });
  expect(fails).toThrow("a trap");
  expect(condemn(gate)).toBeUndefined();
});

test("it is the engine being called that is taken, and nobody comes out of it or into another", () => {
  const gate = createGate();
  const other = engine(gate, () => {});
  const taken: unknown[] = [];
  const { memory, write } = engine(gate, () => void taken.push(condemn(gate)));
  other.write();
  expect(write).toThrow("taken away");
  expect(taken).toEqual([{ address: ptr(new Uint8Array(memory.buffer)), length: 2 * 65_536 }]);
  expect(other.write).toThrow("taken away");
});
