import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";

const ATTEMPTS = 20;

/**
 * A folder with everything in it, if it is there, also while somebody is still at work in it: when something goes away
 * meanwhile, Bun says that it is done and leaves the rest.
 */
export async function removeTree(path: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await rm(path, { recursive: true, force: true });
    if (!existsSync(path)) return;
    await Bun.sleep(attempt);
  }
  throw new Error(`${path} could not be removed: something keeps changing in it`);
}
