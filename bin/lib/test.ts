// Types, lint, dead code, then every test file in a process of its own, several at a time. What failed is said
// again at the end, and the last line counts them all.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { programPath, requirePrograms, SYSTEM_PATH } from "./programs.ts";

const ROOT = join(import.meta.dir, "../..");
/** Generous, because nothing is told by how long a test takes. */
const TIMEOUT = "--timeout=60000";
/** Minutes each, so they come first: what is begun last then ends with the others. */
const LONG = ["session/model", "session/crash-steps", "session/races", "terminal-hostile", "host/byte-exact"];

const CHECKS: [string, string[]][] = [
  ["types", ["node_modules/.bin/tsc", "--noEmit"]],
  ["lint", ["node_modules/.bin/biome", "ci", "--colors=off", "."]],
  ["dead code", ["--bun", "node_modules/.bin/knip", "--no-progress"]],
];

interface Result {
  name: string;
  passed: number;
  failed: number;
  output: string;
}

const chromium = programPath("chromium");
const env = {
  ...process.env,
  PATH: SYSTEM_PATH,
  BUN_INSTALL_CACHE_DIR: join(ROOT, ".tools/bun-cache"),
  XDG_CACHE_HOME: join(ROOT, ".tools/cache"),
  ...(chromium && { BANTO_CHROMIUM: chromium }),
};

async function bun(args: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const parts: string[] = [];
  const keep = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) parts.push(decoder.decode(chunk, { stream: true }));
  };
  const [, , code] = await Promise.all([keep(child.stdout), keep(child.stderr), child.exited]);
  return { code, output: parts.join("") };
}

async function check(name: string, args: string[]): Promise<Result> {
  const { code, output } = await bun(args);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}

/** Counts by the report; a file that breaks off counts as one failure more. */
async function testFile(name: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "banto-report-"));
  const report = join(folder, "junit.xml");
  const { code, output } = await bun([
    "test",
    TIMEOUT,
    "--reporter=junit",
    `--reporter-outfile=${report}`,
    `./${name}`,
  ]);
  const { passed, failed } = count(report);
  rmSync(folder, { recursive: true, force: true });
  return { name, passed, failed: failed + (code !== 0 && failed === 0 ? 1 : 0), output };
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

function testFiles(patterns: string[]): string[] {
  const isWanted = (name: string) => patterns.length === 0 || patterns.some((text) => name.includes(text));
  const names = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].filter(isWanted).sort();
  const isLong = (name: string) => LONG.some((part) => name.includes(part));
  return [...names.filter(isLong), ...names.filter((name) => !isLong(name))];
}

async function timed(run: Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await run;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const counts = `${result.passed} passed${result.failed > 0 ? `, ${result.failed} FAILED` : ""}`;
  console.log(`${result.name}: ${counts} (${seconds} s)`);
  return result;
}

/** Every failure of a file, with what led to it; what passed is left out. */
const failures = ({ output }: Result) =>
  output
    .split("\n")
    .filter((line) => !line.startsWith("(pass)"))
    .join("\n");

if (!(await requirePrograms())) process.exit(1);
const results: Result[] = [];
for (const [name, args] of CHECKS) results.push(await timed(check(name, args)));
const waiting = testFiles(process.argv.slice(2));
if (waiting.length === 0) {
  console.log("no test file has that in its name");
  process.exit(1);
}
const lanes = Array.from({ length: availableParallelism() }, async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    results.push(await timed(testFile(name)));
});
await Promise.all(lanes);

for (const result of results.filter(({ failed }) => failed > 0))
  console.log(`\n== ${result.name}\n${failures(result)}`);
const sum = (key: "passed" | "failed") => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);
