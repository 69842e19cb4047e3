// prepare.ts serve|test: installs the packages and builds the page, each only when it is stale.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
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

function filesBelow(dir: string): string[] {
  return readdirSync(at(dir), { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => statSync(at(path)).isFile())
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

/** The packages that serving needs, or with `withTools` those that testing needs too. */
async function installPackages(withTools: boolean) {
  const wanted = digest(["package.json", "bun.lock"]);
  const stamp = (kind: string) => `node_modules/.banto-${kind}`;
  const fresh = isStamped(stamp("test"), wanted) || (!withTools && isStamped(stamp("serve"), wanted));
  if (fresh) return;
  say("installing packages");
  for (const kind of ["serve", "test"]) rmSync(at(stamp(kind)), { force: true }); // both speak of one folder
  const installed = await run([
    "install",
    "--frozen-lockfile",
    "--ignore-scripts",
    ...(withTools ? [] : ["--production"]),
  ]);
  if (!installed)
    fail("could not install the packages (bun's message is above); check the network and run this again");
  writeFileSync(at(stamp(withTools ? "test" : "serve")), wanted);
}

async function buildPage() {
  const wanted = digest([
    ...filesBelow("src/client"),
    ...filesBelow("src/vt"),
    "src/contract.ts",
    "bun.lock",
    "bin/lib/build.ts",
  ]);
  if (isStamped("dist/.banto-build", wanted)) return;
  say("building the page");
  rmSync(at("dist"), { recursive: true, force: true });
  if (!(await run([at("bin/lib/build.ts")]))) fail("could not build the page (the message is above)");
  mkdirSync(at("dist"), { recursive: true });
  writeFileSync(at("dist/.banto-build"), wanted);
}

await installPackages(process.argv[2] === "test");
await buildPage();
