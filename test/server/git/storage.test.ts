import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../../../src/server/git/run/git.ts";
import { environment, run } from "../../support/program.ts";
import { TestRepository } from "../../support/repository.ts";

const CHILD = join(import.meta.dir, "support/storage-child.ts");
const OWN_MOUNTS = ["unshare", "--user", "--map-root-user", "--mount"];
const canMount = () => Bun.spawnSync([...OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).exitCode === 0;

describe("a disk that is full, read-only or another one", () => {
  test.skipIf(!canMount())("is named with what to do, and everything stays where it is", async () => {
    using repository = await TestRepository.create();
    await repository.git("branch", "small");
    await repository.git("checkout", "--quiet", "-b", "big");
    writeFileSync(join(repository.path, "big"), randomBytes(3_000_000));
    await repository.git("add", ".");
    await repository.git("commit", "--quiet", "-m", "big");
    const disk = repository.beside("disk");
    mkdirSync(disk);
    const command = [...OWN_MOUNTS, process.execPath, CHILD, disk, repository.path];
    const { stdout, stderr } = await run(command, environment(repository.beside("home")));
    if (stdout === "") throw new Error(stderr);
    const said = JSON.parse(stdout) as Record<string, string>;
    // Whichever of those that write at the same time meets it first.
    expect(said.full).toMatch(
      /could not be written; see whether the disk is full|: the disk is full; free some/,
    );
    expect(said.left).toBe("");
    expect(said.small).toContain('"branch":"small-2"');
    expect(said.elsewhere).toContain("is not on the same disk as");
    expect(said.readOnly).toContain("the disk is read-only; make it writable and try again");
    expect(said.readOnlySnapshot).toContain("There is no snapshot: banto could not make a snapshot");
    expect(said.readOnlyTrash).toContain("the disk is read-only");
    expect(said.kept).toBe("true");
    const branches = await repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
    expect(branches.split("\n")).toEqual(["big", "main", "small", "small-2"]);
  });
});

describe("a git that does not come to an end", () => {
  test("is ended, and said to have taken too long", async () => {
    using repository = await TestRepository.create();
    const pipe = repository.beside("pipe");
    Bun.spawnSync(["mkfifo", pipe]);
    const { code, stderr } = await git(repository.path, ["hash-object", pipe], { timeoutMs: 200 });
    expect(code).not.toBe(0);
    expect(stderr).toBe("git hash-object was ended after 0.2 seconds");
  });

  test("is given up when something that it started holds its output open", async () => {
    using repository = await TestRepository.create();
    const pids = repository.beside("pids");
    const alias = { GIT_CONFIG_KEY_0: "alias.leave", GIT_CONFIG_VALUE_0: `!sleep 1000 & echo $! > ${pids}` };
    const { code, stderr } = await git(repository.path, ["leave"], {
      env: { GIT_CONFIG_COUNT: "1", ...alias },
      timeoutMs: 200,
    });
    process.kill(Number(readFileSync(pids, "utf8")));
    expect({ code, stderr }).toEqual({ code: 1, stderr: "git leave did not end within 0.2 seconds" });
  });

  test("is not said to have been slow when somebody else ended it", async () => {
    using repository = await TestRepository.create();
    const alias = { GIT_CONFIG_KEY_0: "alias.die", GIT_CONFIG_VALUE_0: "!kill -9 $PPID" };
    const { code, stderr } = await git(repository.path, ["die"], {
      env: { GIT_CONFIG_COUNT: "1", ...alias },
    });
    expect(code).not.toBe(0);
    expect(stderr).toBe("git die was ended by SIGKILL");
  });
});
