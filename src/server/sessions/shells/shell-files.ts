// Shells have no rows in the database. A small file beside the host's socket says whose shell it is.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { RunDir } from "../../hosts/run-dir.ts";

export interface ShellRecord {
  id: string;
  taskId: string;
  name: string;
  /** Place among the task's shells. */
  order: number;
}

const FILE = /^([0-9a-z]{16})\.json$/;

export function writeShell(runDir: RunDir, { id, ...record }: ShellRecord): void {
  const path = runDir.files(id).shell;
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** How long ago the file was written, in milliseconds. */
export const shellAge = (runDir: RunDir, id: string) => Date.now() - statSync(runDir.files(id).shell).mtimeMs;

export const shellIds = (run: string) => readdirSync(run).flatMap((name) => FILE.exec(name)?.[1] ?? []);

export function readShells(runDir: RunDir): { shells: ShellRecord[]; broken: string[] } {
  const ids = shellIds(runDir.path);
  const read = ids.map((id) => ({ id, record: parse(readFileSync(runDir.files(id).shell, "utf8")) }));
  return {
    shells: read.flatMap(({ id, record }) => (record === undefined ? [] : [{ id, ...record }])),
    broken: read.flatMap(({ id, record }) => (record === undefined ? [id] : [])),
  };
}

function parse(text: string): Omit<ShellRecord, "id"> | undefined {
  try {
    const { taskId, name, order } = JSON.parse(text) as Partial<ShellRecord>;
    if (typeof taskId !== "string" || typeof name !== "string" || !Number.isInteger(order)) return undefined;
    return { taskId, name, order: Number(order) };
  } catch {
    return undefined; // truncated on a full disk
  }
}
