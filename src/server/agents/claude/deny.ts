// What Claude Code may not read or write in any mode, because with these files an agent could answer its own requests.
// Its worktree is below the same directory and stays accessible. This is a fence, not a wall: a program that the agent
// writes runs as the same user as banto.

import { realpathSync } from "node:fs";
import { join } from "node:path";

/** The token, the database and its copies, and how to reach the server and the hosts. */
const SECRET = ["token*", "server.json*", "identity.json*", "banto.db*", "backups/**", "run/**"];
/** Decides what the next start runs. */
const UNCHANGED = ["agents.toml"];
/** Commands are compared as text. */
const NAMED = ["token", "banto.db", "backups/", "run/"];

export function denyRules(dataDir: string): string[] {
  return [...new Set([dataDir, resolved(dataDir)])].flatMap((root) => [
    ...SECRET.flatMap((name) => [`Read(/${join(root, name)})`, `Edit(/${join(root, name)})`]),
    ...UNCHANGED.map((name) => `Edit(/${join(root, name)})`),
    ...NAMED.map((name) => `Bash(*${join(root, name)}*)`),
  ]);
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it doesn't exist yet, so it isn't a link either
  }
}
