import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
  copyFileSync(process.execPath, join(local, "bin/bun"));
  writeProgram(
    join(dir, "bun"),
    `case $1 in
      --version) echo 1.0.0 ;;
      add) exec '${process.execPath}' add "$2" "$3" "$4" '${local}' ;;
      *) exit 1 ;;
    esac`,
  );
}

const HASHES = "bin/lib/bun.sha256";
const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** A checkout that knows the bun of these tests, which may be a distribution's. */
function checkoutForThisBun() {
  const checkout = freshCheckout();
  writeFileSync(join(checkout.path, HASHES), `${hashOf(process.execPath)}  @oven/bun-here/bin/bun\n`);
  return checkout;
}

const writeProgram = (path: string, script: string) =>
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

test("with a bun of another version and no npm, that bun installs the pinned one", async () => {
  using checkout = checkoutForThisBun();
  using programs = tempDir("programs");
  otherBun(programs.path);
  const { code, stdout, stderr } = await checkout.runWith({ PATH: programs.path }, "bin/bun", "--version");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("installing bun") });
  expect(`bun@${stdout.trim()}`).toBe(packageManager);
  expect(readFileSync(join(checkout.path, "package.json"), "utf8")).toBe(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
});

test("a checkout's own bin on PATH is not taken for bun", async () => {
  using checkout = freshCheckout();
  const PATH = join(checkout.path, "bin");
  const { code, stderr } = await checkout.runWith({ PATH }, "bin/bun", "--version");
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("with the bun on PATH") });
});

test("what is installed is run only if it is the program whose hash is known, also the next time", async () => {
  using checkout = freshCheckout();
  using programs = tempDir("programs");
  const [hasRun, program] = [join(programs.path, "has-run"), join(programs.path, "other-bun")];
  writeProgram(program, `: > '${hasRun}'; echo ${packageManager.slice("bun@".length)}`);
  writeProgram(
    join(programs.path, "npm"),
    `PATH=/usr/bin:/bin
     mkdir -p "$3/node_modules/@oven/bun-here/bin" && cp '${program}' "$3/node_modules/@oven/bun-here/bin/bun"`,
  );
  for (let time = 0; time < 2; time += 1) {
    const answer = await checkout.runWith({ PATH: programs.path }, "bin/bun", "--version");
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toMatch(/the bun that was installed is not the one banto knows.* it was not run/);
  }
  expect(existsSync(hasRun)).toBe(false);
});

test("the hash of the pinned bun is known", () => {
  const known = readFileSync(join(ROOT, HASHES), "utf8");
  expect(known.match(/^[0-9a-f]{64} {2}@oven\/bun-linux-(x64|aarch64)(-musl)?\/bin\/bun$/gm)).toHaveLength(4);
  // Distributions change it.
  if (process.execPath.includes("/node_modules/@oven/")) expect(known).toContain(hashOf(process.execPath));
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
  using checkout = checkoutForThisBun();
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
