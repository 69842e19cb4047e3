import type { InertGit } from "../run/inert-git.ts";

export async function commitTree(
  inert: InertGit,
  tree: string,
  parents: string[],
  message: string,
): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return (await inert.must("write the snapshot's commit", args, { stdin: message })).trim();
}
