import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { branchName, freeBranch } from "../../../../src/server/git/repository/branch-name.ts";
import { gitIn, TestRepository } from "../../../support/repository.ts";

const TASK = "0123456789abcdef";

describe("a task's branch", () => {
  test("is named for the task and the words of its title", () => {
    expect(branchName(TASK, "Fix the login redirect")).toBe("banto/01234567-fix-the-login-redirect");
    expect(branchName(TASK, "Über-große Änderung: ß")).toBe("banto/01234567-uber-gro-e-anderung");
    expect(branchName(TASK, "修正 🎉")).toBe("banto/01234567");
    expect(branchName(TASK, "--force; $(rm -rf ~) ../../x")).toBe("banto/01234567-force-rm-rf-x");
    expect(branchName(TASK, "w".repeat(500))).toBe(`banto/01234567-${"w".repeat(40)}`);
  });

  test("is a name git takes, whatever the title", async () => {
    using repository = await TestRepository.create();
    const title = fc.string({ unit: "binary", maxLength: 600 });
    fc.assert(fc.property(title, (text) => /^banto\/01234567(-[a-z0-9]+)*$/.test(branchName(TASK, text))));
    for (const text of [".lock", "a..b", "@{", "x.lock", "-", "~^:?*[\\"]) {
      await gitIn(repository.path, "check-ref-format", `refs/heads/${branchName(TASK, text)}`);
    }
  });

  test("gets a number where it is taken, or where another branch's name is in the way", () => {
    const free = (wanted: string, ...taken: string[]) => freeBranch(new Set(taken), wanted);
    expect(free("banto/a")).toBe("banto/a");
    expect(free("banto/a", "banto/a")).toBe("banto/a-2");
    expect(free("banto/a", "banto/a", "banto/a-2")).toBe("banto/a-3");
    expect(free("banto/a", "banto/a/b")).toBe("banto/a-2");
    expect(free("banto/a", "banto")).toBe("banto-2/a");
    expect(free("banto/a", "banto", "banto-2/a")).toBe("banto-2/a-2");
    expect(free("banto/a", "banto/ab", "bantos")).toBe("banto/a");
  });
});
