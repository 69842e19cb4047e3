// Runs every benchmark, prints a table, and leaves the figures in bench/results.json and nothing else, however it ends.

import { existsSync, rmSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { requireAgents } from "../bin/lib/agent-programs.ts";
import { requirePrograms, SYSTEM_PATH } from "../bin/lib/programs.ts";
import { enterOwnNetwork } from "../bin/lib/test/own-network.ts";
import { readProcess } from "../src/host/processes/processes.ts";
import { readClaim } from "../src/host/protocol/claim.ts";
import { endProcesses } from "../test/support/processes.ts";
import { RUN_MARKER } from "../test/support/program.ts";
import { tempRoot } from "../test/support/temp.ts";
import { measureDialog } from "./agents/dialog.ts";
import { measureHooks } from "./agents/hooks.ts";
import { measureWeight } from "./agents/weight.ts";
import { measureList } from "./board/list.ts";
import { measurePage } from "./board/page.ts";
import { attach } from "./host/attach.ts";
import { echo } from "./host/echo.ts";
import { fairness } from "./host/fairness.ts";
import { flood } from "./host/flood.ts";
import { memory } from "./host/memory.ts";
import { steady } from "./host/steady/steady.ts";
import type { Row } from "./row.ts";
import { measureBusy } from "./sessions/busy.ts";
import { measureStart } from "./sessions/start.ts";
import { terminalFlood } from "./terminal/flood.ts";
import { keystroke } from "./terminal/keystroke.ts";
import { openCard } from "./terminal/open-card.ts";
import { tabMemory } from "./terminal/tab-memory.ts";

const BENCHMARKS: Record<string, () => Promise<Row[]>> = {
  list: measureList,
  page: measurePage,
  flood,
  echo,
  attach,
  memory,
  fairness,
  steady,
  start: measureStart,
  busy: measureBusy,
  terminal: terminalFlood,
  hooks: measureHooks,
  dialog: measureDialog,
  weight: measureWeight,
  keystroke,
  open: openCard,
  tab: tabMemory,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`unknown benchmark: ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(2);
}

if (!(await requirePrograms(["git", "chromium", "ip", "unshare"])) || !(await requireAgents()))
  process.exit(1);
await enterOwnNetwork();
process.env.PATH = SYSTEM_PATH;

// Servers, hosts and browsers carry it, so that whatever is left over is found.
process.env[RUN_MARKER.name] = RUN_MARKER.value;

/** Session hosts have an environment of their own; each has left its number beside its socket. */
function endHosts(): void {
  if (!existsSync(tempRoot())) return;
  for (const claim of new Bun.Glob("**/*.claim").scanSync(tempRoot())) {
    const host = readClaim(join(tempRoot(), claim));
    if (host !== undefined && readProcess(host.pid)?.startTime === host.startTime)
      process.kill(host.pid, "SIGKILL");
  }
}

async function leaveNothing(): Promise<void> {
  endHosts();
  await endProcesses(`${RUN_MARKER.name}=${RUN_MARKER.value}\0`);
  await endProcesses(tempRoot());
  rmSync(tempRoot(), { recursive: true, force: true });
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => void leaveNothing().then(() => process.exit(1)));

const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(BENCHMARKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring ${name}…`);
    rows.push(...(await measure()));
  }
} finally {
  await leaveNothing();
}

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
const table = rows.map(({ name, value, unit, ratio, against, target }) => [
  name,
  `${number(value)} ${unit}`,
  ratio === undefined ? "" : `${number(ratio)} ×`,
  [against && `against ${against}`, target && `target ${target}`].filter(Boolean).join("; "),
]);
const widths = [0, 1, 2].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
for (const [name = "", value = "", ratio = "", note = ""] of table) {
  console.log(
    `${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${ratio.padStart(widths[2] ?? 0)}  ${note}`.trimEnd(),
  );
}
const [load = 0] = loadavg();
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load };
const file = join(import.meta.dir, "results.json");
await Bun.write(file, JSON.stringify({ at: new Date().toISOString(), ...machine, rows }, null, 2));
console.log(
  `\n${machine.cores} cores, load ${load.toFixed(1)}: what else the machine does is in every figure.`,
);
console.log(`figures in ${file}`);
