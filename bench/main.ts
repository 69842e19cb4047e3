// Runs every benchmark, prints a table, and leaves the figures in bench/results.json.

import { cpus } from "node:os";
import { join } from "node:path";
import { measureDialog } from "./agents/dialog.ts";
import { measureHooks } from "./agents/hooks.ts";
import { measureList } from "./board/list.ts";
import { measurePage } from "./board/page.ts";
import { attach } from "./host/attach.ts";
import { echo } from "./host/echo.ts";
import { fairness } from "./host/fairness.ts";
import { flood } from "./host/flood.ts";
import { memory } from "./host/memory.ts";
import type { Row } from "./row.ts";
import { measureBusy } from "./sessions/busy.ts";
import { measureNeeds } from "./sessions/needs.ts";
import { measureStart } from "./sessions/start.ts";
import { terminalFlood } from "./terminal/flood.ts";

const BENCHMARKS: Record<string, () => Promise<Row[]>> = {
  list: measureList,
  page: measurePage,
  flood,
  echo,
  attach,
  memory,
  fairness,
  start: measureStart,
  busy: measureBusy,
  needs: measureNeeds,
  terminal: terminalFlood,
  hooks: measureHooks,
  dialog: measureDialog,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`unknown benchmark: ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name}…`);
  rows.push(...(await measure()));
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
const file = join(import.meta.dir, "results.json");
await Bun.write(file, JSON.stringify({ at: new Date().toISOString(), cpu: cpus()[0]?.model, rows }, null, 2));
console.log(`\nfigures in ${file}`);
