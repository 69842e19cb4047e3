import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./program.ts";
import { type TempDir, tempDir } from "./temp.ts";

const PERSON = { NAME: "Test Person", EMAIL: "person@example.org" };

/** A real git repository in a folder of its own. */
export class TestRepository implements Disposable {
  private constructor(
    private readonly temp: TempDir,
    readonly path: string,
  ) {}

  /** With one commit, on `main`. */
  static async create(name = "repository"): Promise<TestRepository> {
    const repository = await TestRepository.empty(name);
    await repository.commit("first");
    return repository;
  }

  static async empty(name = "empty"): Promise<TestRepository> {
    return TestRepository.init(name, ["--initial-branch=main"]);
  }

  static async bare(name = "bare.git"): Promise<TestRepository> {
    return TestRepository.init(name, ["--bare", "--initial-branch=main"]);
  }

  private static async init(name: string, options: string[]): Promise<TestRepository> {
    const temp = tempDir("repository");
    const repository = new TestRepository(temp, join(temp.path, name));
    mkdirSync(repository.path);
    await repository.git("init", "--quiet", "--template=", ...options);
    return repository;
  }

  /** A path beside the repository that goes away with it. */
  beside(name: string): string {
    return join(this.temp.path, name);
  }

  async commit(message: string): Promise<void> {
    writeFileSync(join(this.path, "README.md"), `${message}\n`);
    await this.git("add", "README.md");
    await this.git("commit", "--quiet", "--message", message);
  }

  /** A second working directory of the same repository, on a new branch. */
  async linkedWorktree(branch: string): Promise<string> {
    const path = this.beside(branch);
    await this.git("worktree", "add", "--quiet", "-b", branch, path);
    return path;
  }

  async clone(name: string): Promise<string> {
    await this.git("clone", "--quiet", this.path, this.beside(name));
    return this.beside(name);
  }

  async git(...args: string[]): Promise<string> {
    return gitIn(this.path, ...args);
  }

  [Symbol.dispose]() {
    this.temp[Symbol.dispose]();
  }
}

export async function gitIn(path: string, ...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: path,
    GIT_CONFIG_NOSYSTEM: "1",
    // No process more after each commit.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "maintenance.auto",
    GIT_CONFIG_VALUE_0: "false",
    GIT_AUTHOR_NAME: PERSON.NAME,
    GIT_AUTHOR_EMAIL: PERSON.EMAIL,
    GIT_COMMITTER_NAME: PERSON.NAME,
    GIT_COMMITTER_EMAIL: PERSON.EMAIL,
  };
  const { code, stdout, stderr } = await run(["git", ...args], env, path);
  if (code !== 0) throw new Error(`git ${args.join(" ")} in ${path}: ${stderr}`);
  return stdout.trim();
}
