// Does somebody who comes late see what somebody saw who watched from the start? A recording is cut
// at random, the mirror's snapshot and the raw rest are given to one emulator, all of it to another.
import { createTerminal } from "../../../src/host/mirror/terminal.ts";
import { createEmulator, engineModule, look } from "./emulator.ts";
import { compare, emptyScore, type Recording, random, randomSize, type Score } from "./score.ts";

interface Screen {
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
}

export function screenExact(recording: Recording, cuts: number, seed: number): Score {
  const { name, cols, rows, bytes } = recording;
  const next = random(seed);
  const score = emptyScore();
  for (let i = 0; i < cuts; i++) {
    const cut = 1 + Math.floor(next() * (bytes.length - 1));
    const resizeAt = Math.floor(next() * bytes.length);
    const to = randomSize(recording, next);
    /** In pieces of random length, as they come from a terminal. */
    const pieces = (screen: Screen, from: number, until: number) => {
      for (let at = from; at < until; ) {
        const end = Math.min(until, at + 1 + Math.floor(next() * 4_000));
        screen.write(bytes.subarray(at, end));
        at = end;
      }
    };
    const play = (screen: Screen, from: number, until: number) => {
      const resizes = resizeAt >= from && resizeAt < until;
      pieces(screen, from, resizes ? resizeAt : until);
      if (!resizes) return;
      screen.resize(to.cols, to.rows);
      pieces(screen, resizeAt, until);
    };
    const mirror = createTerminal({
      module: engineModule,
      cols,
      rows,
      version: "test",
      theme: { foreground: "", background: "" },
      tell() {},
      answer() {},
    });
    const early = createEmulator(cols, rows);
    play(early, 0, bytes.length);
    play({ write: mirror.feed, resize: mirror.resize }, 0, cut);
    const size = resizeAt < cut ? to : { cols, rows };
    const late = createEmulator(size.cols, size.rows);
    late.write(mirror.snapshot());
    play(late, cut, bytes.length);
    compare(
      score,
      look(early),
      look(late),
      `${name}: seed ${seed}, cut at ${cut}, resized at ${resizeAt} to ${to.cols}x${to.rows}`,
    );
  }
  return score;
}
