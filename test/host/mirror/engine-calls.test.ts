import { ptr } from "bun:ffi";
import { expect, test } from "bun:test";
import { createCallState, guardCalls, seizeEngine } from "../../../src/host/mirror/engine-calls.ts";

/** Stands in for an engine: what it does when it is called is the test's. */
function engine(state: SharedArrayBuffer, work: () => void) {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const { write } = guardCalls(state)({ memory, write: work });
  return { memory, write: write as () => void };
}

test("an engine that is not being called can't be seized, however long its worker is silent", () => {
  const state = createCallState();
  const { write } = engine(state, () => {});
  expect(seizeEngine(state)).toBeUndefined();
  write();
  expect(seizeEngine(state)).toBeUndefined();
  const { write: fails } = engine(state, () => {
    throw new Error("a trap");
  });
  expect(fails).toThrow("a trap");
  expect(seizeEngine(state)).toBeUndefined();
});

test("the engine being called is seized, and its worker can neither return from it nor call another", () => {
  const state = createCallState();
  const other = engine(state, () => {});
  const taken: unknown[] = [];
  const { memory, write } = engine(state, () => void taken.push(seizeEngine(state)));
  other.write();
  expect(write).toThrow("seized");
  expect(taken).toEqual([{ address: ptr(new Uint8Array(memory.buffer)), length: 2 * 65_536 }]);
  expect(other.write).toThrow("seized");
});
