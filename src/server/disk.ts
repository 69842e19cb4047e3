// Recognises a disk that is full or can't be written.

import { statfsSync } from "node:fs";

/** What is wrong with the disk; undefined if the error has another cause. */
export function storageFailure(error: unknown): "full" | "unwritable" | undefined {
  const code = String((error as { code?: unknown })?.code ?? "");
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return "full";
  return /^(SQLITE_READONLY|SQLITE_IOERR|EROFS$|EIO$)/.test(code) ? "unwritable" : undefined;
}

export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function inUnits(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value >= 10 ? Math.round(value) : Math.round(10 * value) / 10} ${UNITS[power]}`;
}
