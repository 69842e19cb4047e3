// A file's name is bytes, which need not be text. Between git and the file system banto keeps it as a latin1 string.

import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { errorCode } from "./failure.ts";

/** The path, for the file system, of a file that git named. */
export const fileIn = (directory: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);

/** For a person to read. */
export const readable = (name: string): string => Buffer.from(name, "latin1").toString("utf8");

/** Fields of `-z` output. */
export const fieldsOf = (output: string): string[] => output.split("\0").filter((field) => field !== "");

export async function lstatIfThere(file: Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (cause) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(cause) ?? "")) return undefined;
    throw cause;
  }
}
