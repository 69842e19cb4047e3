import { chmod, lstat, readdir } from "node:fs/promises";
import { errorCode } from "./if-there.ts";

/** Restores the owner's rights to read and empty every folder, which a tool may have removed. */
export async function makeRemovable(directory: string | Buffer): Promise<void> {
  const folder = Buffer.from(directory as string);
  try {
    const info = await lstat(folder);
    if (!info.isDirectory()) return;
    if ((info.mode & 0o700) !== 0o700) await chmod(folder, info.mode | 0o700);
    for (const name of await readdir(folder, { encoding: "buffer" })) {
      await makeRemovable(Buffer.concat([folder, Buffer.from("/"), name]));
    }
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT") throw cause;
  }
}
