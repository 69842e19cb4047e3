// Screen-exactness over folders of recordings, given as arguments:
//   bin/bun bench/host/screen-exact.ts [--host] [--cuts=20] [--seed=1] FOLDER…
// With --host every recording is printed through real session hosts; without it the mirror runs in
// this process, which is some ten times as fast. A recording is NAME.rec with NAME.size.json
// (columns, screen_lines), or NAME.in at 80x25 whose line ends are bare. Exits with 1 after a miss.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { emptyScore, PARTS, type Recording } from "../../test/host/support/score.ts";
import { screenExact } from "../../test/host/support/screen-exact.ts";
import { screenExactThroughHost } from "../../test/host/support/screen-exact-host.ts";

const option = (name: string, fallback: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split("=")[1] ?? fallback);
const play = process.argv.includes("--host") ? screenExactThroughHost : screenExact;

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
const sum = emptyScore();
for (const recording of recordings) {
  const score = await play(recording, option("cuts", 20), option("seed", 1));
  for (const part of ["total", ...PARTS] as const) sum[part] += score[part];
  for (const miss of score.misses) console.log(miss);
  sum.misses.push(...score.misses);
}
const percent = (part: (typeof PARTS)[number]) =>
  `${part} ${sum[part]}/${sum.total} (${((100 * sum[part]) / Math.max(sum.total, 1)).toFixed(2)} %)`;
console.log(`${recordings.length} recordings: ${PARTS.map(percent).join(", ")}`);
process.exit(sum.misses.length > 0 ? 1 : 0);
