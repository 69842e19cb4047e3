// Ends a computation that won't end by itself. Terminating a worker does not interrupt WebAssembly (measured with bun
// 1.4.4: an endless loop keeps burning its core), but taking away its memory does: the next access traps, and the trap
// is an ordinary exception in the worker. But only in WebAssembly: if JavaScript touches that memory, or the runtime
// for a `memory.copy`, the whole process crashes. So this is only for what engine-calls.ts has seized.
import { dlopen } from "bun:ffi";

const PROT_NONE = 0;

export interface Region {
  address: number;
  length: number;
}

/** False if that is impossible. Then the thread keeps spinning, at the price of a core. */
export function revokeMemory({ address, length }: Region): boolean {
  try {
    const libc = dlopen(process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6", {
      mprotect: { args: ["u64", "u64", "i32"], returns: "i32" },
    });
    return libc.symbols.mprotect(BigInt(address), BigInt(length), PROT_NONE) === 0;
  } catch {
    return false; // another C library; nothing can be done
  }
}
