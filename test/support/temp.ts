import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Everything the tests put on disk lies below this one folder, which must be empty when they end. */
export const TEMP_ROOT = join(realpathSync(tmpdir()), `banto-test-${process.pid}`);

export interface TempDir extends Disposable {
  path: string;
}

export function tempDir(name: string): TempDir {
  mkdirSync(TEMP_ROOT, { recursive: true });
  const path = mkdtempSync(join(TEMP_ROOT, `${name}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
