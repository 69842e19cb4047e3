// A real small disk below everything that a test file puts anywhere.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fill } from "../../../support/fill-disk.ts";
import { isSkipped } from "../../../support/skipped.ts";
import { tempRoot } from "../../../support/temp.ts";

export interface SmallDisk extends Disposable {
  /** Not a byte goes in any more until this is disposed. */
  full(): Disposable;
}

/** Undefined, and said so, where nothing can be mounted that ends with the run of the tests. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  if (isSkipped("a full disk on the random walk", mount(megabytes))) return undefined;
  const filler = join(tempRoot(), "filler");
  return {
    full() {
      fill(filler);
      return { [Symbol.dispose]: () => rmSync(filler) };
    },
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "--lazy", tempRoot()]);
    },
  };
}

/** Why it can't be. */
function mount(megabytes: number): string | undefined {
  if (process.env.BANTO_TEST_NETWORK !== "own") return "the tests have no mounts of their own here";
  mkdirSync(tempRoot(), { recursive: true });
  const options = `size=${megabytes}m,mode=700`;
  const { success, stderr } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "none", tempRoot()]);
  return success ? undefined : `it can't be mounted: ${stderr.toString().trim()}`;
}
