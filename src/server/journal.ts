import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * Whether systemd's journal keeps what is printed there, for others to read. It names itself in JOURNAL_STREAM, which
 * terminals and files inherit too. A pipe may lead into the journal, so it counts.
 */
export function goesIntoJournal(fd: number, stream: string | undefined): boolean {
  if (!stream || isatty(fd)) return false;
  try {
    const output = fstatSync(fd);
    return !output.isFile() || `${output.dev}:${output.ino}` === stream;
  } catch {
    return true; // it is closed, and nobody will read there
  }
}
