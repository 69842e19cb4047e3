import { DomainError } from "../../errors.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { HEADS } from "./head.ts";
import { detectBaseBranch } from "./repository.ts";

/** Object names by full reference name. */
export async function readRefs(repository: string, patterns: string[]): Promise<Map<string, string>> {
  const listed = await git(repository, ["for-each-ref", "--format=%(refname) %(objectname)", ...patterns]);
  if (listed.code !== 0) throw gitFailure(`read the branches of ${repository}`, listed);
  const lines = listed.stdout.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => line.split(" ", 2) as [string, string]));
}

/**
 * The commit a new worktree starts from: the local base branch, or else the remote's; without one, the detected branch.
 */
export async function baseCommit(
  repository: string,
  base: string | null,
  refs: ReadonlyMap<string, string>,
): Promise<string> {
  const found =
    base === null
      ? await detected(repository)
      : baseRefs(base)
          .map((ref) => refs.get(ref))
          .find(Boolean);
  return found ?? refuse(repository, base);
}

export function baseRefs(base: string | null): string[] {
  if (base === null) return [];
  const usual = [`${HEADS}${base}`, `refs/remotes/origin/${base}`];
  // The form in which an earlier version recorded `main` if there was a tag of that name.
  return base.startsWith("heads/") ? [...usual, `refs/${base}`] : usual;
}

async function detected(repository: string): Promise<string | undefined> {
  const branch = await detectBaseBranch(repository);
  return resolve(repository, branch === null ? "HEAD" : `refs/heads/${branch}`);
}

async function resolve(repository: string, name: string): Promise<string | undefined> {
  const { code, stdout } = await git(repository, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return code === 0 ? stdout.trim() : undefined;
}

async function refuse(repository: string, base: string | null): Promise<never> {
  if (base === null || (await detected(repository)) === undefined) {
    throw new DomainError(
      "invalid",
      `${repository} has no commit to start from. Make one (git commit --allow-empty -m start) and start again.`,
    );
  }
  throw new DomainError(
    "invalid",
    `The base branch ${base} is no longer in ${repository}. Choose another one in the project's settings.`,
  );
}
