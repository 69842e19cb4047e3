// File operations for which a missing file is not an error.

import { existsSync, type Stats } from "node:fs";
import { copyFile, lstat, readdir, readFile, rename } from "node:fs/promises";

const isMissing = (cause: unknown) => ["ENOENT", "ENOTDIR"].includes(errorCode(cause) ?? "");

export async function listIfThere(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw cause;
  }
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (isMissing(cause) || errorCode(cause) === "EISDIR") return undefined;
    throw cause;
  }
}

/** Moves a file or folder, unless an earlier attempt has moved it. */
export async function moveOnce(from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  try {
    await rename(from, to);
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT") throw cause;
  }
}

export async function lstatIfThere(file: Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

export async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw cause;
  }
}

/** An error of the file system, rather than a bug. */
export const isFileError = (cause: unknown): cause is Error =>
  cause instanceof Error && (cause as { syscall?: string }).syscall !== undefined;

export const errorCode = (cause: unknown) => (cause as { code?: string }).code;
