// Which engine the mirror's worker is calling at the moment, in memory that both threads share. The host may revoke an
// engine's memory only during a call, and the worker must not touch it afterwards: access from WebAssembly traps, but
// access from JavaScript would crash the whole process.
import { ptr } from "bun:ffi";
import type { Region } from "./revoke-memory.ts";

const OUTSIDE = 0;
const INSIDE = 1;
const SEIZED = 2;

const open = (shared: SharedArrayBuffer) => ({
  state: new Int32Array(shared, 0, 1),
  /** How often an engine has been called. */
  calls: new Int32Array(shared, 4, 1),
  /** Address and length of the memory of the engine that is being called. */
  region: new Float64Array(shared, 8, 2),
});

export const createCallState = () => new SharedArrayBuffer(24);

export const countCalls = (shared: SharedArrayBuffer) => Atomics.load(open(shared).calls, 0);

/** The host's side: the memory of the engine being called, if any. That call never returns. */
export function seizeEngine(shared: SharedArrayBuffer): Region | undefined {
  const { state, region } = open(shared);
  if (Atomics.compareExchange(state, 0, INSIDE, SEIZED) !== INSIDE) return undefined;
  const [address = 0, length = 0] = region;
  return { address, length };
}

/** The worker's side: wraps an engine's exports so that each notes when it is called and when it returns. */
export function guardCalls(shared: SharedArrayBuffer) {
  const { state, calls, region } = open(shared);
  const pass = (from: number, to: number) => {
    if (Atomics.compareExchange(state, 0, from, to) !== from) throw new Error("the engine was seized");
  };
  return (exports: WebAssembly.Exports): WebAssembly.Exports => {
    const memory = exports.memory as WebAssembly.Memory;
    let buffer: ArrayBuffer | undefined;
    let address = 0;
    const guarded =
      (call: (...args: number[]) => number) =>
      (...args: number[]) => {
        // The buffer changes when the memory grows.
        if (memory.buffer !== buffer) {
          buffer = memory.buffer;
          address = ptr(new Uint8Array(buffer));
        }
        region[0] = address;
        region[1] = buffer.byteLength;
        Atomics.add(calls, 0, 1);
        pass(OUTSIDE, INSIDE);
        try {
          return call(...args);
        } finally {
          pass(INSIDE, OUTSIDE);
        }
      };
    return Object.fromEntries(
      Object.entries(exports).map(([name, value]) => [
        name,
        typeof value === "function" ? guarded(value as (...args: number[]) => number) : value,
      ]),
    );
  };
}
