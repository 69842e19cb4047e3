// The same question as in screen-exact.ts, asked of a real session host: a program prints the recording
// through a raw terminal, one viewer watches from the start, others come at random cuts, when the
// ring has wrapped, and the size changes once in between.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gate } from "../../support/gate.ts";
import { startHost } from "./host.ts";
import { compare, emptyScore, type Recording, random, randomSize, type Score } from "./score.ts";
import { watchScreen } from "./screen-viewer.ts";

/** Who come to one session; the next ones get a session, and a resize, of their own. */
const LATE_VIEWERS = 5;

// Answers to the recording's own queries are read with the newline (-r: they may end in a backslash).
const PRINT_ON_DEMAND = "for part in $(seq 1 $0); do read -r go; cat part-$part; done";

async function playOnce(
  recording: Recording,
  cuts: number[],
  next: () => number,
  score: Score,
  seed: number,
) {
  const { name, cols, rows, bytes } = recording;
  const resizeAt = Math.floor(next() * bytes.length);
  const to = randomSize(recording, next);
  const stops = [...new Set([...cuts, resizeAt, bytes.length])].sort((a, b) => a - b);
  using start = gate();
  const program = `stty raw -echo; ${start.wait}; ${PRINT_ON_DEMAND}`;
  await using host = await startHost(["sh", "-c", program, String(stops.length)], {
    cols,
    rows,
    bufferSize: Math.max(1, Math.floor(Math.min(...cuts) / 2)),
    // Whoever interrupts this leaves no host behind for long.
    orphanSeconds: 30,
    lingerSeconds: 30,
  });
  for (const [i, stop] of stops.entries()) {
    writeFileSync(join(host.dir, `part-${i + 1}`), bytes.subarray(stops[i - 1] ?? 0, stop));
  }
  const early = await watchScreen(host);
  await start.open();
  const late: { cut: number; viewer: Awaited<ReturnType<typeof watchScreen>> }[] = [];
  for (const stop of stops) {
    early.client.send("\n");
    await early.sees(stop);
    if (stop === resizeAt) {
      early.client.resize(to);
      await early.has(to);
    }
    if (!cuts.includes(stop)) continue;
    const viewer = await watchScreen(host);
    if (viewer.replay() !== "snapshot") throw new Error(`${name}: the ring had not wrapped at ${stop}`);
    late.push({ cut: stop, viewer });
  }
  await Promise.all([early.exit, ...late.map(({ viewer }) => viewer.exit)]);
  if (early.replay() !== "full" || early.resyncs() > 0)
    throw new Error(`${name}: the first viewer missed some`);
  for (const { cut, viewer } of late) {
    const where = `${name}: seed ${seed}, cut at ${cut}, resized at ${resizeAt} to ${to.cols}x${to.rows}`;
    compare(score, early.look(), viewer.look(), where);
  }
}

export async function screenExactThroughHost(
  recording: Recording,
  cuts: number,
  seed: number,
): Promise<Score> {
  const next = random(seed);
  const score = emptyScore();
  while (score.total < cuts) {
    // The first byte fills the smallest ring there is; from the second on it has wrapped.
    const wanted = Math.min(LATE_VIEWERS, cuts - score.total);
    const places = Array.from(
      { length: wanted },
      () => 2 + Math.floor(next() * (recording.bytes.length - 2)),
    );
    await playOnce(recording, places, next, score, seed);
  }
  return score;
}
