// Prints a log, first something to warm up and then so many bytes, so many each second; as fast as it goes when no rate is
// given. Leaves a file where it is: "warm", then "printed".
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const [warmUp = 0, bytes = 0, rate = 0] = process.argv.slice(2).map(Number);
const folder = process.argv[5] ?? "";
/** As much as a program that writes through a buffer writes at once. */
const BLOCK = 4_096;
const WARM_UP_RATE = 20_000_000;
const line = "\x1b[32mok\x1b[0m 2026-01-01 the quick brown fox jumps over the lazy dog, again and again\r\n";
const text = Buffer.from(line.repeat(BLOCK));

async function print(bytes: number, rate: number): Promise<void> {
  const began = performance.now();
  for (let sent = 0; sent < bytes; ) {
    const due = rate === 0 ? bytes : Math.min(bytes, ((performance.now() - began) / 1_000) * rate);
    while (sent < due) sent += writeSync(1, text, sent % line.length, Math.min(BLOCK, bytes - sent));
    if (rate > 0) await Bun.sleep(1);
  }
}

await print(warmUp, WARM_UP_RATE);
writeFileSync(join(folder, "warm"), "");
await print(bytes, rate);
writeFileSync(join(folder, "printed"), "");
