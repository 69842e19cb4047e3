// Screen-exactness over folders of recordings, given as arguments:
//   bin/bun bench/host/screen-exact.ts [--cuts=20] [--seed=1] FOLDER…
// A recording is NAME.rec with NAME.size.json (columns, screen_lines), or NAME.in at 80x25 whose
// line ends are bare.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Recording, screenExact } from "../../test/host/support/screen-exact.ts";

const option = (name: string, fallback: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split("=")[1] ?? fallback);

function load(folder: string): Recording[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name): Recording[] => {
      const path = join(folder, name);
      if (name.endsWith(".rec")) {
        const size = JSON.parse(readFileSync(path.replace(/rec$/, "size.json"), "utf8"));
        return [{ name, cols: size.columns, rows: size.screen_lines, bytes: readFileSync(path) }];
      }
      if (!name.endsWith(".in")) return [];
      const text = readFileSync(path, "latin1").replace(/\r?\n/g, "\r\n");
      return [{ name, cols: 80, rows: 25, bytes: Buffer.from(text, "latin1") }];
    });
}

const recordings = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith("--"))
  .flatMap(load);
const sum = { total: 0, text: 0, cells: 0, cursor: 0, modes: 0 };
for (const recording of recordings) {
  const score = screenExact(recording, option("cuts", 20), option("seed", 1));
  for (const part of ["total", "text", "cells", "cursor", "modes"] as const) sum[part] += score[part];
  for (const miss of score.misses) console.log(miss);
}
const percent = (part: "text" | "cells" | "cursor" | "modes") =>
  `${part} ${sum[part]}/${sum.total} (${((100 * sum[part]) / Math.max(sum.total, 1)).toFixed(2)} %)`;
console.log(
  `${recordings.length} recordings: ${(["text", "cells", "cursor", "modes"] as const).map(percent).join(", ")}`,
);
