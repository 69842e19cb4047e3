import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { DomainError } from "../../errors.ts";
import { git } from "../run/git.ts";
import { HEADS } from "./head.ts";

export interface Repository {
  /** The real path, so that one repository is one project however it was typed. */
  path: string;
  /** null while there is no commit. */
  baseBranch: string | null;
}

const unacceptable = (message: string) => new DomainError("invalid", `path: ${message}`);

/** Checks that a typed path is the root of a git repository, or says what to do. */
export async function inspectRepository(typed: string): Promise<Repository> {
  const expanded = typed === "~" || typed.startsWith("~/") ? join(homedir(), typed.slice(1)) : typed;
  if (!isAbsolute(expanded)) {
    throw unacceptable(`${typed} is not absolute; give the full path, starting with / or ~.`);
  }
  const path = await existingDirectory(expanded);
  await requireRoot(path);
  return { path, baseBranch: await detectBaseBranch(path) };
}

export async function requireBranch(path: string, branch: string): Promise<void> {
  const { code } = await git(path, ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`]);
  if (code === 0) return;
  throw new DomainError("invalid", `baseBranch: there is no branch ${branch} in ${path}.`);
}

async function existingDirectory(path: string): Promise<string> {
  try {
    const canonical = await realpath(path);
    if ((await stat(canonical)).isDirectory()) return canonical;
    throw unacceptable(`${path} is a file; give the directory of a git repository.`);
  } catch (cause) {
    const code = (cause as { code?: string }).code;
    if (code === "EACCES") throw unacceptable(`banto isn't allowed to read ${path}; check its permissions.`);
    if (code === "ELOOP") throw unacceptable(`${path} is a symbolic link that leads nowhere.`);
    if (code === "ENAMETOOLONG") throw unacceptable("it is longer than a path can be.");
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw unacceptable(`there is nothing at ${path} on the machine banto runs on; check the spelling.`);
    }
    throw cause;
  }
}

async function requireRoot(path: string): Promise<void> {
  const { code, stdout, stderr } = await git(path, [
    "rev-parse",
    "--is-bare-repository",
    "--absolute-git-dir",
  ]);
  if (code !== 0) {
    if (stderr.includes("dubious ownership")) {
      throw unacceptable(
        `git does not trust ${path} because another user owns it; run: git config --global --add safe.directory ${path}`,
      );
    }
    throw unacceptable(`${path} is not a git repository; run git init there, or choose another directory.`);
  }
  const [isBare, gitDir = ""] = stdout.split("\n");
  if (gitDir === (isBare === "true" ? path : join(path, ".git"))) return;
  if (isBare === "true") throw unacceptable(`${path} is inside the bare repository ${gitDir}; add that one.`);
  const top = (await git(path, ["rev-parse", "--show-toplevel"])).stdout.trimEnd();
  if (top === path) return; // a linked worktree or a submodule: its .git is a file
  throw unacceptable(`${path} is inside the repository ${top || dirname(gitDir)}; add that one instead.`);
}

/** The remote's default branch if there is a local one of that name, else what is checked out, else a common name. */
export async function detectBaseBranch(path: string): Promise<string | null> {
  // Full names: if a tag has the same name, git's short name for the branch differs.
  const { stdout } = await git(path, ["for-each-ref", "--format=%(refname)", "refs/heads"]);
  const branches = new Set(stdout.split("\n").filter((name) => name !== ""));
  if (branches.size === 0) return null;
  const remote = await git(path, ["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]);
  const head = await git(path, ["symbolic-ref", "--quiet", "HEAD"]);
  const candidates = [
    remote.stdout.trim().replace(/^refs\/remotes\/origin\//, HEADS),
    head.stdout.trim(),
    `${HEADS}main`,
    `${HEADS}master`,
  ];
  const found = candidates.find((name) => branches.has(name)) ?? [...branches][0];
  return found?.slice(HEADS.length) ?? null;
}
