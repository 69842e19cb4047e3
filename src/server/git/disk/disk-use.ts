import { lstat, readdir } from "node:fs/promises";
import { errorCode } from "./if-there.ts";

const BLOCK_BYTES = 512;

/** What deleting a file or folder would free. A file with another name elsewhere stays, and what can't be read may. */
export async function diskUse(path: string): Promise<number> {
  const namesSeen = new Map<string, number>();
  const measure = async (place: Buffer): Promise<number> => {
    try {
      const info = await lstat(place);
      const own = info.blocks * BLOCK_BYTES;
      if (info.isDirectory()) {
        let bytes = own;
        for (const name of await readdir(place, { encoding: "buffer" }))
          bytes += await measure(Buffer.concat([place, Buffer.from("/"), name]));
        return bytes;
      }
      const file = `${info.dev}:${info.ino}`;
      const seen = (namesSeen.get(file) ?? 0) + 1;
      if (info.nlink > 1) namesSeen.set(file, seen);
      return seen === info.nlink ? own : 0;
    } catch (cause) {
      if (["ENOENT", "EACCES", "EPERM", "ENOTDIR"].includes(errorCode(cause) ?? "")) return 0;
      throw cause;
    }
  };
  return measure(Buffer.from(path));
}
