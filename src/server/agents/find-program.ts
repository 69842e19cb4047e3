import { statSync } from "node:fs";

export type FoundProgram = { path: string; problem?: never } | { path?: never; problem: string };

/** Looks for a program as the system would, or says why it can't be found. */
export function findProgram(name: string, searchPath: string): FoundProgram {
  const path = Bun.which(name, { PATH: searchPath });
  if (path !== null) return { path };
  if (!name.includes("/")) return { problem: `${name} is not installed, or not on the server's PATH.` };
  const file = statSync(name, { throwIfNoEntry: false });
  if (file === undefined) return { problem: `${name} does not exist.` };
  return { problem: file.isFile() ? `${name} isn't executable.` : `${name} is not a program.` };
}
