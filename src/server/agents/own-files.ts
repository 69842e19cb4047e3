// banto's own files that agents have no business in, because with these an agent could answer its own requests. Their
// worktrees are below the same directory and stay accessible. This is a fence, not a wall: a program that the agent
// writes runs as the same user as banto.

import { realpathSync } from "node:fs";
import { join } from "node:path";

/** The token, the database and its copies, and how to reach the server and the hosts. */
export const SECRET = ["token*", "server.json*", "identity.json*", "banto.db*", "backups/**", "run/**"];
/** Decides what the next start runs. */
export const UNCHANGED = ["agents.toml"];
/** Commands are compared as text. */
export const NAMED = ["token", "banto.db", "backups/", "run/"];

/** The data directory by each of its names. */
export const rootsOf = (dataDir: string): string[] => [...new Set([dataDir, resolved(dataDir)])];

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it doesn't exist yet, so it isn't a link either
  }
}

/** How the paths of what may not be touched begin, those of what may only be read, and what no command may name. */
export function barredIn(dataDir: string) {
  const below = (names: string[]) =>
    rootsOf(dataDir).flatMap((root) => names.map((name) => join(root, name.replace(/\*+$/, ""))));
  return { paths: below(SECRET), changes: below(UNCHANGED), commands: below(NAMED) };
}
