// Whether the person trusts the repository. Gemini trusts folders by their paths, so that it would ask for every task's
// worktree anew, though it is the same repository.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Undefined where nobody has decided: then Gemini asks. */
export function trustOf(home: string, worktree: string): boolean | undefined {
  const decisions = read(join(home, "trustedFolders.json"));
  // What was decided for the worktree itself Gemini knows.
  if (decide(decisions, worktree) !== undefined) return undefined;
  const main = mainWorktree(worktree);
  return main === undefined ? undefined : decide(decisions, main);
}

function decide(decisions: Record<string, unknown>, folder: string): boolean | undefined {
  if (decisions[folder] === "DO_NOT_TRUST") return false;
  const isTrusted = Object.entries(decisions).some(([path, level]) => {
    if (level !== "TRUST_FOLDER" && level !== "TRUST_PARENT") return false;
    const root = level === "TRUST_PARENT" ? dirname(path) : path;
    return folder === root || folder.startsWith(root.endsWith("/") ? root : `${root}/`);
  });
  return isTrusted ? true : undefined;
}

/** By the file that git keeps in a linked worktree. */
function mainWorktree(worktree: string): string | undefined {
  try {
    const link = readFileSync(join(worktree, ".git"), "utf8");
    const [, gitDir = ""] = /^gitdir: (.+?)\/worktrees\/[^/]+\s*$/.exec(link) ?? [];
    return gitDir.endsWith("/.git") ? dirname(resolve(worktree, gitDir)) : undefined;
  } catch {
    return undefined;
  }
}

function read(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // nothing was decided yet, or Gemini will say what is wrong with it
  }
}
