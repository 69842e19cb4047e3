import { createHash } from "node:crypto";
import { chmod, constants, copyFile, lstat, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileIn } from "../disk/file-names.ts";
import { errorCode, lstatIfThere } from "../disk/if-there.ts";

/** Pointers are shorter than this; see the LFS specification. */
export const MAX_POINTER_BYTES = 1_024;
const CHUNK_BYTES = 1_048_576;

interface Pointer {
  oid: string;
  size: number;
}

export function parsePointer(text: string): Pointer | undefined {
  if (!text.startsWith("version https://git-lfs.github.com/spec/v1\n")) return undefined;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid && size ? { oid, size: Number(size) } : undefined;
}

/** Replaces pointers by files from the repository's own LFS store. Returns how many are missing there. */
export async function fillFromStore(input: {
  common: string;
  path: string;
  files: string[];
}): Promise<number> {
  let missing = 0;
  for (const name of input.files) {
    const file = fileIn(input.path, name);
    const info = await lstatIfThere(file);
    if (!info?.isFile() || info.size >= MAX_POINTER_BYTES) continue;
    const pointer = parsePointer(await readFile(file, "utf8"));
    if (pointer === undefined) continue;
    if (await copyObject(input.common, pointer, file)) await chmod(file, info.mode & 0o777);
    else missing += 1;
  }
  return missing;
}

async function copyObject(common: string, { oid, size }: Pointer, file: Buffer): Promise<boolean> {
  const object = join(common, "lfs/objects", oid.slice(0, 2), oid.slice(2, 4), oid);
  try {
    if ((await lstat(object)).size !== size) return false;
    await copyFile(object, file, constants.COPYFILE_FICLONE);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return false;
    throw cause;
  }
}

/** Whether a file has the content that a pointer stands for. */
export async function isContentOf(pointer: Pointer, file: Buffer): Promise<boolean> {
  if ((await lstat(file)).size !== pointer.size) return false;
  const hash = createHash("sha256");
  const opened = await open(file);
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await opened.read(chunk);
      if (bytesRead === 0) return hash.digest("hex") === pointer.oid;
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await opened.close();
  }
}
