import { lstat, readdir } from "node:fs/promises";
import { errorCode } from "./if-there.ts";

const BLOCK_BYTES = 512;

/** The size of a folder on disk. Links are not followed, and what can't be read is left out. */
export async function diskUse(path: string | Buffer): Promise<number> {
  try {
    const info = await lstat(path);
    let bytes = info.blocks * BLOCK_BYTES;
    if (!info.isDirectory()) return bytes;
    for (const name of await readdir(path, { encoding: "buffer" })) {
      bytes += await diskUse(Buffer.concat([Buffer.from(path as string), Buffer.from("/"), name]));
    }
    return bytes;
  } catch (cause) {
    if (["ENOENT", "EACCES", "EPERM", "ENOTDIR"].includes(errorCode(cause) ?? "")) return 0;
    throw cause;
  }
}
