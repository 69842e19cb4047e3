// Ends a computation that will not end by itself. Terminating a worker does not interrupt
// WebAssembly (measured with bun 1.4.4: an endless loop goes on burning its core), but taking its
// memory away does: the next access traps, and the trap is an ordinary exception in the worker. Only in
// WebAssembly, though: whoever else touches that memory (JavaScript, or the runtime for a `memory.copy`) brings the whole
// process down, so this is only for what engine-calls.ts has seized.
import { dlopen } from "bun:ffi";

const PROT_NONE = 0;

export interface Region {
  address: number;
  length: number;
}

/** False where that cannot be done; the thread then spins on, at the price of its core. */
export function revokeMemory({ address, length }: Region): boolean {
  try {
    const libc = dlopen(process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6", {
      mprotect: { args: ["u64", "u64", "i32"], returns: "i32" },
    });
    return libc.symbols.mprotect(BigInt(address), BigInt(length), PROT_NONE) === 0;
  } catch {
    return false; // another C library: nothing to be done about it here
  }
}
