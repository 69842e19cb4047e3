const SHORT_ID = 8;
const SLUG = 40;

/** `banto/<short id>-<slug>`. The slug has only the title's ASCII letters and digits. */
export function branchName(taskId: string, title: string): string {
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG)
    .replace(/^-|-$/g, "");
  const id = taskId.slice(0, SHORT_ID);
  return slug === "" ? `banto/${id}` : `banto/${id}-${slug}`;
}

/** The wanted name, with -2, -3… added to a part that is taken: a branch `a` prevents `a/b`, and `a/b` prevents `a`. */
export function freeBranch(taken: ReadonlySet<string>, wanted: string): string {
  const parts = wanted.split("/");
  let prefix = "";
  for (const [index, part] of parts.entries()) {
    const isLeaf = index === parts.length - 1;
    const isFree = (name: string) =>
      !taken.has(name) && !(isLeaf && [...taken].some((branch) => branch.startsWith(`${name}/`)));
    let candidate = prefix + part;
    for (let n = 2; !isFree(candidate); n += 1) candidate = `${prefix}${part}-${n}`;
    prefix = `${candidate}/`;
  }
  return prefix.slice(0, -1);
}
