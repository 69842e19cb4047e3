// test [--deep] [--repeat N] [name…]: checks and test files, several at a time. What failed is said again at the
// end, then how long it took, and the last line counts them all.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireAgents } from "../agent-programs.ts";
import { requirePrograms } from "../programs.ts";
import { createLaneBrowsers } from "./browsers.ts";
import { bundlePageProgram, bundleServer, bundleTerminalPage } from "./bundle.ts";
import { CHECKS, testFiles } from "./items.ts";
import { inLanes, LANES } from "./lanes.ts";
import { enterOwnNetwork } from "./own-network.ts";
import { claimPorts } from "./ports.ts";
import { type Result, runItem } from "./run.ts";
import { makeRunFolder } from "./run-folder.ts";
import { longestFirst, rememberTimes } from "./times.ts";

const PROGRAMS = ["git", "headlessChromium", "fzf", "htop", "ip", "less", "tmux", "unshare", "vim"] as const;

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

/** What a test said that could not run on this machine. */
function printSkipped(results: Result[]) {
  const said = results.flatMap(({ output }) => output.match(/^skipped: .*$/gm) ?? []);
  if (said.length > 0) console.log(`\n${[...new Set(said)].join("\n")}`);
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
const files = testFiles(names, { isDeep });
if (files.length === 0) {
  console.error(`no test file has ${names.join(" or ")} in its path`);
  process.exit(1);
}
if (!(await requirePrograms(PROGRAMS)) || !(await requireAgents())) process.exit(1);
await enterOwnNetwork();

const startedAt = performance.now();
const folder = makeRunFolder();
process.on("exit", folder.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const bundle = join(folder.path, "bundle");
await Promise.all([
  bundleServer(bundle),
  bundlePageProgram(join(bundle, "page")),
  bundleTerminalPage(join(bundle, "terminal-page")),
]);
const browsers = createLaneBrowsers();
const once = longestFirst(names.length === 0 && repeat === undefined ? [...CHECKS, ...files] : files);
const items = Array.from({ length: repeat ?? 1 }, () => once).flat();
const lanes = repeat === undefined ? LANES : LANES * 2;
const portOf = claimPorts(lanes);
const results = await inLanes(items, lanes, async (item, lane) => {
  const extra = await browsers.environment(item, lane);
  const result = await runItem(item, { isDeep, port: portOf(lane), extra });
  printLine(result);
  return result;
});
await browsers.close();
rmSync(bundle, { recursive: true });
if (!isDeep) rememberTimes(results.filter(({ failed }) => failed === 0));

for (const result of results) if (result.failed > 0) printFailure(result);
printSkipped(results);
if (repeat === undefined) printSlowest(results);
else printRepeats(results);
const left = await folder.leftovers();
for (const file of left.files) console.log(`\nFAILED: left behind in the temporary folder: ${file}`);
for (const process of left.processes) console.log(`\nFAILED: left behind a process: ${process}`);
const tookMs = performance.now() - startedAt;
console.log(`\ntotal: ${seconds(tookMs)} s (processor time ${seconds(sum(results, "cpuMs"))} s)`);
const failed = sum(results, "failed") + left.files.length + left.processes.length;
console.log(`\n${sum(results, "passed")} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
