import { statSync } from "node:fs";
import { errorCode } from "../disk/if-there.ts";

/** A file that changed only this long before it was read may change again without a new time stamp. */
const SETTLED_MS = 2_000;

interface Kept<T> {
  value: T;
  files: string[];
  stamps: string[];
}

/** Caches what was read from files until one of them changes, appears or disappears. */
export class FileCache<T> {
  private readonly kept = new Map<string, Kept<T>>();

  get(key: string): T | undefined {
    const known = this.kept.get(key);
    if (known === undefined) return undefined;
    if (known.files.every((file, at) => stampOf(file) === known.stamps[at])) return known.value;
    this.kept.delete(key);
    return undefined;
  }

  /** `readAt`: when reading began. What may have changed since then is not cached. */
  set(key: string, value: T, { files, readAt }: { files: string[]; readAt: number }) {
    const stamps = files.map(stampOf);
    const isSettled = (stamp: string) =>
      stamp === NOTHING || Number(stamp.split(" ")[0]) / 1e6 < readAt - SETTLED_MS;
    if (stamps.every(isSettled)) this.kept.set(key, { value, files, stamps });
  }
}

const NOTHING = "ENOENT";

/** Uses ctime because, unlike mtime, nobody can set it back. */
function stampOf(file: string): string {
  try {
    const { ctimeNs, dev, ino, size } = statSync(file, { bigint: true });
    return [ctimeNs, dev, ino, size].join(" ");
  } catch (cause) {
    return errorCode(cause) ?? String(cause);
  }
}
