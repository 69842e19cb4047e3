import { expect } from "bun:test";

const SIZES = [8_000, 62_500, 500_000] as const;
/** Times the time for eight times the size: 8 where each character is looked at once, 64 where it is compared with each other. */
const MOST = 32;
/** Less than that is as good as nothing, and can't be told from noise. */
const LEAST_MS = 1;
/** Other tests run beside this one, and garbage is collected: the least of a few counts. */
const TRIES = 6;
const PATIENCE_MS = 2_000;

/** Of this process, whatever else the machine does. */
function processorTime(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return Math.max((user + system) / 1_000, LEAST_MS);
}

/** Works on inputs of up to half a megabyte, and fails where the time grows faster than they do. */
export function expectLinear<T>(make: (length: number) => T, work: (input: T) => unknown): void {
  let before = Number.POSITIVE_INFINITY;
  for (const size of SIZES) {
    const input = make(size);
    let time = Number.POSITIVE_INFINITY;
    const begun = performance.now();
    for (let tries = 0; tries < TRIES; tries += 1) {
      time = Math.min(
        time,
        processorTime(() => work(input)),
      );
      const isEnough = before < Number.POSITIVE_INFINITY ? time < before * MOST : tries > 0;
      if (isEnough || performance.now() - begun > PATIENCE_MS) break;
    }
    expect(time / before).toBeLessThan(MOST);
    before = time;
  }
}

/** So many characters of it, over and over. */
export const repeated = (unit: string) => (length: number) =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();

/** A run of it between two others. */
export const run = (before: string, unit: string, after: string) => (length: number) =>
  before + repeated(unit)(length) + after;
