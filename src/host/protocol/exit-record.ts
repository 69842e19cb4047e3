// Records how a session ended, on disk before anyone is told, so that it survives the host, the server and a power cut.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export interface Exit {
  code: number | null;
  signal: string | null;
}

export interface ExitRecord extends Exit {
  sessionId: string;
  startedAt: string;
  endedAt: string;
  /** Bytes of output in all. */
  offset: number;
  /** Why it ended: by itself, because somebody stopped it, nobody was watching, or the machine is shutting down. */
  reason: "exit" | "stopped" | "orphaned" | "terminated";
}

export function writeExitRecord(path: string, record: ExitRecord): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(record)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  const directory = openSync(dirname(path), "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

export function readExitRecord(path: string): ExitRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ExitRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
