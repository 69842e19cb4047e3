// How often a late viewer's screen was equal to an early one's, part by part.
import type { Look } from "./emulator.ts";

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

export const emptyScore = (): Score => ({ total: 0, text: 0, cells: 0, cursor: 0, modes: 0, misses: [] });

export const PARTS = ["text", "cells", "cursor", "modes"] as const;

export function compare(score: Score, expected: Look, actual: Look, where: string): void {
  score.total++;
  const wrong = PARTS.filter((part) => expected[part] !== actual[part]);
  for (const part of PARTS) if (!wrong.includes(part)) score[part]++;
  if (wrong.length > 0) score.misses.push(`${where}: ${wrong.join(", ")} differ`);
}

/** From half to one and a half times as large. */
export const randomSize = ({ cols, rows }: Recording, next: () => number) => ({
  cols: Math.max(20, Math.floor(cols * (0.5 + next()))),
  rows: Math.max(5, Math.floor(rows * (0.5 + next()))),
});
