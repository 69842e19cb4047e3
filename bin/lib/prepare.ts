// prepare.ts serve|test: installs the packages and builds the page, each only when it is stale.

import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** For another that installs over a slow network. */
const LONGEST_WAIT_MS = 1_800_000;

const say = (line: string) => process.stderr.write(`banto: ${line}\n`);
const at = (path: string) => join(ROOT, path);

function fail(message: string): never {
  say(message);
  process.exit(1);
}

/** A digest of files' contents, so that neither a checkout nor a copied clock makes a build look fresh. */
function digest(paths: string[]): string {
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(at(path)))
      .update("\0");
  return hash.digest("hex");
}

/** Passes over links to nowhere, which is what some editors' locks are. */
function filesBelow(dir: string): string[] {
  return readdirSync(at(dir), { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => statSync(at(path), { throwIfNoEntry: false })?.isFile())
    .sort();
}

function isStamped(stamp: string, value: string): boolean {
  return existsSync(at(stamp)) && readFileSync(at(stamp), "utf8") === value;
}

async function run(args: string[]): Promise<boolean> {
  const env = { ...process.env, BUN_INSTALL_CACHE_DIR: at(".tools/bun-cache") };
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    env,
    stdout: 2,
    stderr: "inherit",
  });
  return (await child.exited) === 0;
}

const stamp = (kind: "serve" | "test") => `node_modules/.banto-${kind}`;
const packagesWanted = () => digest(["package.json", "bun.lock"]);

function hasPackages(withTools: boolean): boolean {
  const wanted = packagesWanted();
  return isStamped(stamp("test"), wanted) || (!withTools && isStamped(stamp("serve"), wanted));
}

/** The packages that serving needs, or with `withTools` those that testing needs too. */
async function installPackages(withTools: boolean) {
  say("installing packages");
  for (const kind of ["serve", "test"] as const) rmSync(at(stamp(kind)), { force: true }); // both speak of one folder
  const installed = await run([
    "install",
    "--frozen-lockfile",
    "--ignore-scripts",
    ...(withTools ? [] : ["--production"]),
  ]);
  if (!installed)
    fail("could not install the packages (bun's message is above); check the network and run this again");
  writeFileSync(at(stamp(withTools ? "test" : "serve")), packagesWanted());
}

const pageWanted = () =>
  digest([
    ...filesBelow("src/client"),
    ...filesBelow("src/vt"),
    ...filesBelow("src/host"),
    "src/contract.ts",
    "bun.lock",
    "bin/lib/build.ts",
    "bin/lib/copy-fonts.ts",
  ]);

const hasPage = () => isStamped("dist/.banto-build", pageWanted());

/** Beside the one that is there, which stays should this fail. */
async function buildPage() {
  say("building the page");
  const wanted = pageWanted();
  rmSync(at("dist.new"), { recursive: true, force: true });
  if (!(await run([at("bin/lib/build.ts"), at("dist.new/client")])))
    fail("could not build the page (the message is above)");
  writeFileSync(at("dist.new/.banto-build"), wanted);
  rmSync(at("dist"), { recursive: true, force: true });
  renameSync(at("dist.new"), at("dist"));
}

/** Before anything fails in a way that looks like the network's fault. */
function requireWritable() {
  for (const path of [".", ".tools", "node_modules", "dist"].map(at)) {
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK | constants.X_OK);
    } catch (error) {
      const { code } = error as { code?: string };
      fail(
        `cannot write in ${path} (${code}), where the packages and the page belong; make it writable for you`,
      );
    }
  }
}

/** Held by one at a time: of several that start at once the others wait and find it done. */
function lock(): Disposable {
  mkdirSync(at(".tools"), { recursive: true });
  const held = new Database(at(".tools/prepare.lock"), { create: true });
  held.run(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`);
  held.run("BEGIN EXCLUSIVE"); // the kernel ends it with the process
  return held;
}

const withTools = process.argv[2] === "test";
if (!hasPackages(withTools) || !hasPage()) {
  requireWritable();
  using _held = lock();
  if (!hasPackages(withTools)) await installPackages(withTools);
  if (!hasPage()) await buildPage();
}
