import { DomainError } from "../../errors.ts";
import { lstatIfThere } from "./if-there.ts";

/**
 * Refuses a symbolic link: whoever works in a worktree can replace it by a link, which would lead reads and writes
 * somewhere else. A missing folder is fine.
 */
export async function requireFolder(path: string): Promise<void> {
  if (!(await lstatIfThere(Buffer.from(path)))?.isSymbolicLink()) return;
  throw new DomainError(
    "conflict",
    `${path} is a symbolic link now. Put the folder back in its place, then try again.`,
  );
}
