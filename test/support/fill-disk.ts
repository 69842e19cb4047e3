import { closeSync, openSync, writeSync } from "node:fs";

/** Writes until nothing goes in any more. */
export function fill(file: string) {
  const descriptor = openSync(file, "w");
  for (const size of [1 << 20, 4096, 1]) {
    const block = Buffer.alloc(size);
    try {
      for (;;) if (writeSync(descriptor, block) < size) break;
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    }
  }
  closeSync(descriptor);
}
