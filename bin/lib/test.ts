// Types, lint, dead code, then every test; the last line counts them all.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath, requirePrograms, SYSTEM_PATH } from "./programs.ts";

const ROOT = join(import.meta.dir, "../..");
/** Generous, because nothing is told by how long a test takes. */
const TIMEOUT = "--timeout=60000";
const total = { passed: 0, failed: 0 };

const STEPS: [string, string[]][] = [
  ["types", ["node_modules/.bin/tsc", "--noEmit"]],
  ["lint", ["node_modules/.bin/biome", "ci", "."]],
  ["dead code", ["--bun", "node_modules/.bin/knip", "--no-progress"]],
];

async function bun(args: string[]): Promise<number> {
  const chromium = programPath("chromium");
  const env = {
    ...process.env,
    PATH: SYSTEM_PATH,
    BUN_INSTALL_CACHE_DIR: join(ROOT, ".tools/bun-cache"),
    XDG_CACHE_HOME: join(ROOT, ".tools/cache"),
    ...(chromium && { BANTO_CHROMIUM: chromium }),
  };
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    env,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  return await child.exited;
}

async function step(name: string, args: string[]) {
  console.log(`\n== ${name}`);
  const isFine = (await bun(args)) === 0;
  console.log(isFine ? `ok: ${name}` : `failed: ${name}`);
  if (isFine) total.passed += 1;
  else total.failed += 1;
}

/** Runs the tests, and counts them by the report; a run that breaks off counts as one failure more. */
async function tests(patterns: string[]) {
  console.log("\n== tests");
  const folder = mkdtempSync(join(tmpdir(), "banto-report-"));
  const report = join(folder, "junit.xml");
  const code = await bun(["test", TIMEOUT, "--reporter=junit", `--reporter-outfile=${report}`, ...patterns]);
  const counted = count(report);
  rmSync(folder, { recursive: true, force: true });
  total.passed += counted.passed;
  total.failed += counted.failed + (code !== 0 && counted.failed === 0 ? 1 : 0);
}

function count(report: string) {
  try {
    const head = /<testsuites [^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
    const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
    const failed = number("failures");
    return { passed: number("tests") - failed - number("skipped"), failed };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

if (!(await requirePrograms())) process.exit(1);
for (const [name, args] of STEPS) await step(name, args);
await tests(process.argv.slice(2));
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
