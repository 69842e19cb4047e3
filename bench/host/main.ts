// bin/bun bench/host/main.ts [--json=FILE] [NAME…]: the session host's benchmarks, as a table.
import { writeFileSync } from "node:fs";
import { attach } from "./attach.ts";
import { echo } from "./echo.ts";
import { fairness } from "./fairness.ts";
import { flood } from "./flood.ts";
import { memory } from "./memory.ts";
import type { Row } from "./rows.ts";

export const hostBenchmarks: Record<string, () => Promise<Row[]>> = { flood, echo, attach, memory, fairness };

const line = ({ name, value, unit, ratio, target }: Row) =>
  [
    name.padEnd(40),
    `${value.toFixed(2)} ${unit}`.padStart(14),
    ratio === undefined ? "" : `× ${ratio.toFixed(2)}`,
    target ?? "",
  ].join("  ");

if (import.meta.main) {
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const rows: Row[] = [];
  for (const [name, run] of Object.entries(hostBenchmarks)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const row of await run()) {
      rows.push(row);
      console.log(line(row));
    }
  }
  const file = process.argv.find((argument) => argument.startsWith("--json="))?.slice("--json=".length);
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
}
