import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "./temp.ts";

export interface Gate extends Disposable {
  /** What a program says in a shell to wait here. */
  wait: string;
  /** Resolves when the program has come and been let through. */
  open(): Promise<void>;
}

/**
 * Where a program waits for the test without being typed at: a terminal echoes what is typed before the program has
 * made it raw.
 */
export function gate(): Gate {
  const folder = tempDir("gate");
  const pipe = join(folder.path, "go");
  if (Bun.spawnSync(["mkfifo", pipe]).exitCode !== 0) throw new Error(`mkfifo ${pipe} failed`);
  return {
    wait: `read go <'${pipe}'`,
    open: () => writeFile(pipe, "\n"), // opening it for writing takes until somebody reads
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
