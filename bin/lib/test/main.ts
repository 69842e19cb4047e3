// test [--deep] [--repeat N] [name…]: checks and test files, several at a time. What failed is said again at the
// end, then how long it took, and the last line counts them all.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requirePrograms } from "../programs.ts";
import { bundleServer } from "./bundle.ts";
import { CHECKS, testFiles } from "./items.ts";
import { inLanes, LANES } from "./lanes.ts";
import { type Result, runItem } from "./run.ts";
import { makeRunFolder } from "./run-folder.ts";
import { longestFirst, rememberTimes } from "./times.ts";

const PROGRAMS = ["git", "headlessChromium", "fzf", "htop", "less", "tmux", "vim"] as const;

const USAGE = `usage: bin/test [--deep] [--repeat N] [name…]
  name         only test files with this in their path; without any, the checks and every file
  --deep       the same tests with longer random walks, every crash point and larger streams: test/support/depth.ts
  --repeat N   run each file N times, more of them at a time than the machine has cores, and count failures`;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { deep: { type: "boolean" }, repeat: { type: "string" }, help: { type: "boolean" } },
      allowPositionals: true,
    });
    const repeat = values.repeat === undefined ? undefined : Number(values.repeat);
    if (repeat !== undefined && !(Number.isInteger(repeat) && repeat > 0))
      throw new Error(`--repeat takes a whole number, not ${values.repeat}`);
    return { isDeep: values.deep === true, isHelp: values.help === true, repeat, names: positionals };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

function printLine({ name, passed, failed, tookMs }: Result) {
  const counts = `${passed} passed${failed > 0 ? `, ${failed} FAILED` : ""}`;
  console.log(`${name}: ${counts} (${seconds(tookMs)} s)`);
}

/** Every failure of a file, with what led to it; what passed is left out. */
function printFailure({ name, output }: Result) {
  const lines = output.split("\n").filter((line) => !line.startsWith("(pass)"));
  console.log(`\n== ${name}\n${lines.join("\n")}`);
}

const sum = (results: Result[], key: "passed" | "failed" | "tookMs" | "cpuMs") =>
  results.reduce((total, result) => total + result[key], 0);

function printSlowest(results: Result[]) {
  console.log("\nslowest (wall time, processor time):");
  const slowest = results.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, 10);
  for (const { name, tookMs, cpuMs } of slowest)
    console.log(`${seconds(tookMs).padStart(7)} s ${seconds(cpuMs).padStart(7)} s  ${name}`);
}

function printRepeats(results: Result[]) {
  console.log("");
  for (const [name, runs = []] of Object.entries(Object.groupBy(results, (result) => result.name))) {
    const bad = runs.filter(({ failed }) => failed > 0).length;
    console.log(`${name}: failed in ${bad} of ${runs.length} runs`);
  }
}

const { isDeep, isHelp, repeat, names } = readArguments();
if (isHelp) {
  console.log(USAGE);
  process.exit(0);
}
const files = testFiles(names);
if (files.length === 0) {
  console.error(`no test file has ${names.join(" or ")} in its path`);
  process.exit(1);
}
if (!(await requirePrograms(PROGRAMS))) process.exit(1);

const startedAt = performance.now();
const folder = makeRunFolder();
process.on("exit", folder.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const bundle = join(folder.path, "bundle");
await bundleServer(bundle);
const once = longestFirst(names.length === 0 && repeat === undefined ? [...CHECKS, ...files] : files);
const items = Array.from({ length: repeat ?? 1 }, () => once).flat();
const results = await inLanes(items, repeat === undefined ? LANES : LANES * 2, async (item, lane) => {
  const result = await runItem(item, { isDeep, lane });
  printLine(result);
  return result;
});
rmSync(bundle, { recursive: true });
if (!isDeep) rememberTimes(results.filter(({ failed }) => failed === 0));

for (const result of results) if (result.failed > 0) printFailure(result);
if (repeat === undefined) printSlowest(results);
else printRepeats(results);
const left = await folder.leftovers();
for (const file of left.files) console.log(`\nleft behind in the temporary folder: ${file}`);
for (const process of left.processes) console.log(`\nFAILED: left behind a process: ${process}`);
const tookMs = performance.now() - startedAt;
console.log(`\ntotal: ${seconds(tookMs)} s (processor time ${seconds(sum(results, "cpuMs"))} s)`);
const failed = sum(results, "failed") + left.processes.length;
console.log(`\n${sum(results, "passed")} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
