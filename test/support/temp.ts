import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names this run of the tests; a process id would not, it may have been another's that left something behind. */
export const RUN_ID = Math.random().toString(36).slice(2, 10).padEnd(8, "0");

/** Everything the tests put on disk lies below this one folder, which must be empty when they end. */
export const tempRoot = (): string => (root ??= join(realpathSync(tmpdir()), `banto-test-${RUN_ID}`));
/** Found out when it is first used: a server inside this process has another environment. */
let root: string | undefined;

export interface TempDir extends Disposable {
  path: string;
}

export function tempDir(name: string): TempDir {
  mkdirSync(tempRoot(), { recursive: true });
  const path = mkdtempSync(join(tempRoot(), `${name}-`));
  return { path, [Symbol.dispose]: () => removeFolder(path) };
}

/** Again, as long as it is there: see src/server/remove-tree.ts. */
function removeFolder(path: string) {
  for (let attempt = 1; attempt <= 20 && existsSync(path); attempt += 1) {
    if (attempt > 1) Bun.sleepSync(attempt);
    rmSync(path, { recursive: true, force: true });
  }
}
