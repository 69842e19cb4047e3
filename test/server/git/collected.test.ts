import { describe, expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitIn, type TestRepository } from "../../support/repository.ts";
import { TASK, Workshop } from "./support/workshop.ts";

describe("once a worktree is in the trash, git collects nothing", () => {
  const collect = (repository: TestRepository) => repository.git("gc", "--quiet", "--prune=now");

  test("of commits that only the worktree knew of", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    await gitIn(path, "commit", "--quiet", "--allow-empty", "-m", "given up");
    const lost = await gitIn(path, "rev-parse", "HEAD");
    await gitIn(path, "reset", "--quiet", "--hard", "main");
    await workshop.archive();
    await repository.git("reflog", "expire", "--expire=now", "--all");
    await collect(repository);
    expect(await repository.git("cat-file", "-t", lost)).toBe("commit");
  });

  test("of what only a worktree inside it knew of", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    const inner = join(path, "inner");
    await gitIn(path, "worktree", "add", "--quiet", "--detach", "inner");
    await gitIn(inner, "commit", "--quiet", "--allow-empty", "-m", "on no branch");
    const head = await gitIn(inner, "rev-parse", "HEAD");
    writeFileSync(join(inner, "staged"), "staged\n");
    await gitIn(inner, "add", "staged");
    writeFileSync(join(inner, "staged"), "changed\n");
    const archived = await workshop.archive();
    await collect(repository);
    await workshop.restore(archived);
    expect(await gitIn(inner, "rev-parse", "HEAD")).toBe(head);
    expect(await gitIn(inner, "show", ":staged")).toBe("staged");
    expect(await repository.git("fsck", "--connectivity-only")).not.toContain("missing");
  });

  test("of a long history that was given up, its end included", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    await gitIn(path, "commit", "--quiet", "--allow-empty", "-m", "begins the log");
    const given = "committer T <t@example.org> 1 +0000\ndata 0\n";
    const stream = Array.from({ length: 600 }, () => `commit refs/heads/long\n${given}`).join("");
    writeFileSync(repository.beside("stream"), stream);
    await repository.git(
      "config",
      "alias.import",
      `!git fast-import --quiet < ${repository.beside("stream")}`,
    );
    await repository.git("import");
    const commits = (await repository.git("rev-list", "--reverse", "long")).split("\n");
    const logged = commits.map((commit) => `${"0".repeat(40)} ${commit} T <t@example.org> 1 +0000\tcommit\n`);
    appendFileSync(join(repository.path, ".git/worktrees", TASK, "logs/HEAD"), logged.join(""));
    await repository.git("update-ref", "-d", "refs/heads/long");
    await workshop.archive();
    await collect(repository);
    expect(await repository.git("cat-file", "-t", commits.at(-1) ?? "")).toBe("commit");
  });
});
