import { open, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readIfThere } from "./if-there.ts";

/** Writes atomically, and survives a power cut. */
export async function writeDurably(path: string, value: unknown): Promise<void> {
  await writeRecord(path, value, { flush: true });
  await syncDirectory(dirname(path));
}

/** Writes atomically. It may be lost in a power cut, so this is for records that only save work. */
export async function writeRecord(path: string, value: unknown, { flush } = { flush: false }): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600, flush });
  await rename(`${path}.new`, path);
}

/** undefined if it is missing or not written by banto. */
export async function readRecord<T extends object>(path: string): Promise<Partial<T> | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Partial<T>) : undefined;
  } catch {
    return undefined; // something else's file
  }
}

/** A rename is on disk once its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
