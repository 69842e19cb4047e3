import { fieldsOf } from "../disk/file-names.ts";
import { clonedByLog, inFetchHead } from "../repository/fetched.ts";
import { git } from "../run/git.ts";
import { innerFacts, readSnapshot, snapshotFacts } from "./facts.ts";

/** Whether only this snapshot has commits that somebody made, here or in a repository inside. */
export async function holdsOnlyCommits(repository: string, ref: string, others: string[]): Promise<boolean> {
  const facts = await readSnapshot(repository, ref);
  if (facts === undefined) return true; // it isn't one of banto's
  const inside = await Promise.all(facts.inside.map((commit) => commitsInside(repository, commit)));
  const made = [facts.commit ?? [], ...inside.map((one) => one.made)].flat();
  if (made.length === 0) return false;
  const elsewhere = [...others, ...inside.flatMap((one) => one.fetched)].map((name) => `^${name}`);
  const args = [
    "rev-list",
    "--max-count=1",
    "--ignore-missing",
    "--stdin",
    "--not",
    "--branches",
    "--tags",
    "--remotes",
  ];
  const { code, stdout } = await git(repository, args, { stdin: [...made, ...elsewhere, ""].join("\n") });
  return code !== 0 || stdout !== "";
}

interface CommitsInside {
  /** What HEAD and branches were at; all of it if the files were deleted. */
  made: string[];
  /** What was cloned or fetched. */
  fetched: string[];
}

async function commitsInside(repository: string, commit: string): Promise<CommitsInside> {
  const text = async (name: string) => (await git(repository, ["cat-file", "commit", name])).stdout;
  const own = await text(commit);
  const { snapshot } = innerFacts(own);
  const found = await commitsByRefs(repository, commit);
  if (snapshot === null) found.made.push(...matches(/^parent (\w+)$/gm, own));
  const facts = snapshot === null ? undefined : snapshotFacts(await text(snapshot));
  if (facts?.commit) found.made.push(facts.commit);
  for (const one of facts?.inside ?? []) {
    const deeper = await commitsInside(repository, one);
    found.made.push(...deeper.made);
    found.fetched.push(...deeper.fetched);
  }
  return found;
}

/** According to its own files, which the snapshot has as a tree. */
async function commitsByRefs(repository: string, commit: string): Promise<CommitsInside> {
  const found: CommitsInside = { made: [], fetched: [] };
  const files = ["refs/heads", "refs/remotes", "packed-refs", "FETCH_HEAD", "logs/HEAD"];
  const { stdout } = await git(repository, ["ls-tree", "-r", "-z", `${commit}:git`, ...files]);
  for (const entry of fieldsOf(stdout)) {
    const [, , blob = ""] = entry.slice(0, entry.indexOf("\t")).split(" ");
    const name = entry.slice(entry.indexOf("\t") + 1);
    const text = (await git(repository, ["cat-file", "blob", blob])).stdout;
    if (name.startsWith("refs/heads/")) found.made.push(...matches(/^(\w{40,})$/gm, text));
    else if (name.startsWith("refs/remotes/")) found.fetched.push(...matches(/^(\w{40,})$/gm, text));
    else if (name === "FETCH_HEAD") found.fetched.push(...inFetchHead(text));
    else if (name === "logs/HEAD") found.fetched.push(...clonedByLog(text));
    else {
      found.made.push(...matches(/^(\w+) refs\/heads\//gm, text));
      found.fetched.push(...matches(/^(\w+) refs\/remotes\//gm, text));
    }
  }
  return found;
}

const matches = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
