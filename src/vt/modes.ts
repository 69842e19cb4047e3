// The modes ghostty knows.

export interface Mode {
  number: number;
  ansi: boolean;
}

const ANSI = [2, 4, 12, 20];
const DEC = [
  1, 3, 4, 5, 6, 7, 8, 9, 12, 25, 40, 45, 47, 66, 69, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016,
  1035, 1036, 1039, 1045, 1047, 1048, 1049, 2004, 2026, 2027, 2031, 2048,
];

export const MODES: readonly Mode[] = [
  ...ANSI.map((number) => ({ number, ansi: true })),
  ...DEC.map((number) => ({ number, ansi: false })),
];

export const ALTERNATE_SCREEN_MODES: readonly number[] = [47, 1047, 1049];

/** Setting one of these has side effects (moves, saves, clears), so snapshots handle them separately. */
export const PLACED_BY_HAND: ReadonlySet<number> = new Set([3, 6, 40, 69, ...ALTERNATE_SCREEN_MODES, 1048]);

/** A program in the middle of a synchronised update must not freeze a new viewer. */
export const NEVER_REPLAYED = 2026;

export const isKnownMode = (number: number, ansi: boolean) =>
  MODES.some((mode) => mode.number === number && mode.ansi === ansi);

export const setMode = (mode: { number: number; ansi: boolean }, on: boolean) =>
  `\x1b[${mode.ansi ? "" : "?"}${mode.number}${on ? "h" : "l"}`;
