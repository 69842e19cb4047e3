// Runs git on a repository's objects and a worktree's files without ever reading the repository's configuration, so
// that no filter, hook, monitor or include that is set there can run, however it is spelled and whenever it is written.

import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeTree } from "../../remove-tree.ts";
import { copyIfThere, listIfThere } from "../disk/if-there.ts";
import { gitFailure } from "./failure.ts";
import { type GitOptions, type GitResult, git, WORKTREE_TIMEOUT_MS } from "./git.ts";
import { type Settings, settingsFile } from "./settings.ts";

export interface InertGit {
  /** A private directory that is removed at the end. */
  directory: string;
  worktree: string;
  /**
   * In the private directory, because a git that outlives a killed server must not write where the next server does.
   */
  index: string;
  settings: Settings;
  run(args: string[], options?: GitOptions): Promise<GitResult>;
  /** The output of a command that must succeed. `doing` completes "banto could not …". */
  must(doing: string, args: string[], options?: GitOptions): Promise<string>;
}

interface InertGitInput {
  common: string;
  worktree: string;
  settings: Settings;
  /** Where objects are written and read, if not in `common`. */
  objects?: { written: string; read: string[] };
  /** Put the private directory beside this instead of beside the worktree. */
  beside?: string;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: "banto",
  GIT_AUTHOR_EMAIL: "banto@localhost",
  GIT_COMMITTER_NAME: "banto",
  GIT_COMMITTER_EMAIL: "banto@localhost",
};
/** Overrides all other attributes, so that blobs and files have the same bytes. */
export const AS_STORED = "* -text !eol -ident -filter !working-tree-encoding\n";

export async function withInertGit<T>(
  input: InertGitInput,
  act: (inert: InertGit) => Promise<T>,
): Promise<T> {
  const inert = await openInertGit(input);
  try {
    return await act(inert);
  } finally {
    await closeInertGit(inert);
  }
}

export async function openInertGit(input: InertGitInput): Promise<InertGit> {
  const beside = input.beside ?? input.worktree;
  await removeLeftovers(beside);
  const directory = await mkdtemp(`${prefixFor(beside)}-`);
  try {
    await prepare(directory, input);
    return runner(directory, input);
  } catch (cause) {
    await closeInertGit({ directory });
    throw cause;
  }
}

export const closeInertGit = ({ directory }: Pick<InertGit, "directory">) => removeTree(directory);

/** Beside the worktree, so that it is on the same disk and not in a repository. */
const prefixFor = (worktree: string) => join(dirname(worktree), `.git-for-${basename(worktree)}`);

/** Removes what calls that were killed left behind. */
export async function removeLeftovers(worktree: string): Promise<void> {
  const folder = dirname(worktree);
  const isLeftover = (name: string) => name.startsWith(`${basename(prefixFor(worktree))}-`);
  for (const name of (await listIfThere(folder)).filter(isLeftover)) {
    await removeTree(join(folder, name));
  }
}

async function prepare(directory: string, { common, settings }: InertGitInput) {
  const info = async () => {
    await mkdir(join(directory, "info"));
    const copies = ["info/exclude", "info/attributes"];
    await Promise.all(copies.map((name) => copyIfThere(join(common, name), join(directory, name))));
  };
  await Promise.all([
    info(),
    mkdir(join(directory, "refs")),
    writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n"),
    writeFile(join(directory, "config"), settingsFile(settings)),
    copyIfThere(join(common, "shallow"), join(directory, "shallow")),
  ]);
}

/** Environment variables for where git writes objects, and where else it reads them. */
export const objectStores = (written: string, read: string[]) => ({
  GIT_OBJECT_DIRECTORY: written,
  // Quoted, because a colon separates paths.
  GIT_ALTERNATE_OBJECT_DIRECTORIES: read.map((path) => JSON.stringify(path)).join(":"),
});

function runner(directory: string, { common, worktree, settings, objects }: InertGitInput): InertGit {
  const index = join(directory, "index");
  const env = {
    ...IDENTITY,
    GIT_DIR: directory,
    GIT_WORK_TREE: worktree,
    GIT_INDEX_FILE: index,
    ...objectStores(objects?.written ?? join(common, "objects"), objects?.read ?? []),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
  const run = (args: string[], options: GitOptions = {}) =>
    git(worktree, args, {
      encoding: "latin1",
      timeoutMs: WORKTREE_TIMEOUT_MS,
      ...options,
      env: { ...env, ...options.env },
    });
  return {
    directory,
    worktree,
    index,
    settings,
    run,
    async must(doing, args, options) {
      const result = await run(args, options);
      if (result.code !== 0) throw gitFailure(doing, result);
      return result.stdout;
    },
  };
}
