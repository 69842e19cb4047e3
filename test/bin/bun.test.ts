import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager } from "../../package.json";
import { ROOT, UNPRIVILEGED } from "../support/program.ts";
import { tempDir } from "../support/temp.ts";
import { freshCheckout } from "./support/checkout.ts";

/** A bun of another version. What it adds is the pinned one, from a folder instead of from npm. */
function otherBun(dir: string) {
  const local = join(dir, "package");
  mkdirSync(join(local, "bin"), { recursive: true });
  writeFileSync(join(local, "package.json"), '{ "name": "@oven/bun-here", "version": "1.0.0" }');
  writeProgram(join(local, "bin/bun"), `exec '${process.execPath}' "$@"`);
  writeProgram(
    join(dir, "bun"),
    `case $1 in
      --version) echo 1.0.0 ;;
      add) exec '${process.execPath}' add "$2" "$3" "$4" '${local}' ;;
      *) exit 1 ;;
    esac`,
  );
}

const writeProgram = (path: string, script: string) =>
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

test("with a bun of another version and no npm, that bun installs the pinned one", async () => {
  using checkout = freshCheckout();
  using programs = tempDir("programs");
  otherBun(programs.path);
  const { code, stdout, stderr } = await checkout.runWith({ PATH: programs.path }, "bin/bun", "--version");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("installing bun") });
  expect(`bun@${stdout.trim()}`).toBe(packageManager);
  expect(readFileSync(join(checkout.path, "package.json"), "utf8")).toBe(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
});

/** An npm that begins when so many have been called, and whose folder is spoilt for it when another uses it. */
function npmFor(callers: number, dir: string) {
  writeFileSync(
    join(dir, "npm.ts"),
    `import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
     import { dirname } from "node:path";
     const folder = process.argv[4];
     writeFileSync(import.meta.dir + "/called-" + process.pid, "");
     const called = () => readdirSync(import.meta.dir).filter((name) => name.startsWith("called-")).length;
     while (called() < ${callers}) await Bun.sleep(1);
     mkdirSync(dirname(folder), { recursive: true });
     mkdirSync(folder);
     mkdirSync(folder + "/node_modules/@oven/bun-here/bin", { recursive: true });
     symlinkSync(process.execPath, folder + "/node_modules/@oven/bun-here/bin/bun");`,
  );
  writeProgram(join(dir, "npm"), `exec '${process.execPath}' '${join(dir, "npm.ts")}' "$@"`);
}

test("several that install it at once don't get in each other's way", async () => {
  using checkout = freshCheckout();
  using programs = tempDir("programs");
  npmFor(3, programs.path);
  const start = () => checkout.runWith({ PATH: programs.path }, "bin/bun", "--version");
  const all = await Promise.all([start(), start(), start()]);
  expect(all.map(({ stdout }) => `bun@${stdout.trim()}`)).toEqual(Array(3).fill(packageManager));
});

test("a checkout that can't be written is named before anything is tried", async () => {
  using checkout = freshCheckout();
  using programs = tempDir("programs");
  otherBun(programs.path);
  const setpriv = Bun.which(UNPRIVILEGED[0] ?? "");
  if (setpriv) symlinkSync(setpriv, join(programs.path, "setpriv"));
  chmodSync(checkout.path, 0o500);
  const answer = await checkout.runWith({ PATH: programs.path }, ...UNPRIVILEGED, "bin/bun", "--version");
  chmodSync(checkout.path, 0o700);
  expect(answer).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^banto: cannot write in .*make it writable for you\n$/),
  });
});
