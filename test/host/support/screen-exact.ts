// Does somebody who comes late see what somebody saw who watched from the start? A recording is cut
// at random, the mirror's snapshot and the raw rest are given to one emulator, all of it to another.
import { createTerminal } from "../../../src/host/mirror/terminal.ts";
import { createEmulator, engineModule, type Look, look } from "./emulator.ts";

export interface Recording {
  name: string;
  cols: number;
  rows: number;
  bytes: Uint8Array;
}

export interface Score {
  total: number;
  text: number;
  cells: number;
  cursor: number;
  modes: number;
  /** Where something differed: enough to try it again. */
  misses: string[];
}

/** The same numbers every time, so that a failure can be looked at. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

interface Screen {
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
}

export function screenExact(recording: Recording, cuts: number, seed: number): Score {
  const { name, cols, rows, bytes } = recording;
  const next = random(seed);
  const score: Score = { total: 0, text: 0, cells: 0, cursor: 0, modes: 0, misses: [] };
  for (let i = 0; i < cuts; i++) {
    const cut = 1 + Math.floor(next() * (bytes.length - 1));
    const resizeAt = Math.floor(next() * bytes.length);
    const to = {
      cols: Math.max(20, Math.floor(cols * (0.5 + next()))),
      rows: Math.max(5, Math.floor(rows * (0.5 + next()))),
    };
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
    const [expected, actual] = [look(early), look(late)];
    score.total++;
    const wrong = (["text", "cells", "cursor", "modes"] as const).filter((part: keyof Look) => {
      if (expected[part] === actual[part]) score[part]++;
      return expected[part] !== actual[part];
    });
    if (wrong.length > 0) {
      score.misses.push(
        `${name}: ${wrong.join(", ")} differ, cut at ${cut}, resized at ${resizeAt} to ${to.cols}x${to.rows}`,
      );
    }
  }
  return score;
}
