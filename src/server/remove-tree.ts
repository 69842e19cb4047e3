import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";

const ATTEMPTS = 20;

/**
 * Removes a folder with everything in it, even while something is still writing there: when a file disappears
 * meanwhile, Bun reports success and leaves the rest.
 */
export async function removeTree(path: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await rm(path, { recursive: true, force: true });
    if (!existsSync(path)) return;
    await Bun.sleep(attempt);
  }
  throw new Error(`${path} could not be removed: something keeps changing in it`);
}
