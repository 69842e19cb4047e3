import { describe, expect, test } from "bun:test";
import { judge } from "../../../src/server/sessions/steady-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T = Date.parse("2026-03-01T12:00:00Z");

/** What is written down after looking at these times, one after the other; `running`: what a steady clock counted. */
const after = (looks: { at: number; running: number | null }[], before = { seenAt: T, doubtedSince: null }) =>
  looks.reduce<{ seenAt: number; doubtedSince: number | null }>(
    (record, { at, running }) => judge(record, at, running),
    before,
  );

describe("a clock is doubted", () => {
  for (const [what, at, running] of [
    ["ahead at a start by more than a day", T + DAY + 1, null],
    ["years ahead at a start", T + 4_000 * DAY, null],
    ["behind at a start by more than a day", T - DAY - 1, null],
    ["ahead by more than a day while the server runs", T + DAY + 6 * HOUR + 1, 6 * HOUR],
    ["behind by more than a day while the server runs", T - DAY, 6 * HOUR],
  ] as const) {
    test(`that is ${what}`, () => {
      expect(after([{ at, running }])).toEqual({ seenAt: at, doubtedSince: at });
    });
  }

  test("until it has been steady for a day, across starts too", () => {
    const jump = { at: T + 40 * DAY, running: null };
    const steady = [6, 12, 18].map((hours) => ({ at: jump.at + hours * HOUR, running: 6 * HOUR }));
    expect(after([jump, ...steady]).doubtedSince).toBe(jump.at);
    const again = { at: jump.at + 20 * HOUR, running: null };
    expect(after([jump, ...steady, again]).doubtedSince).toBe(jump.at);
    expect(after([jump, ...steady, again, { at: jump.at + DAY, running: 4 * HOUR }]).doubtedSince).toBeNull();
  });

  test("for another day when it jumps again", () => {
    const jumps = [T + 40 * DAY, T + 80 * DAY].map((at) => ({ at, running: null }));
    expect(after([...jumps, { at: T + 80 * DAY + 23 * HOUR, running: 23 * HOUR }]).doubtedSince).toBe(
      T + 80 * DAY,
    );
  });
});

test("a clock is believed that was put right by hours, and after a night without a server", () => {
  for (const [at, running] of [
    [T + 14 * HOUR, null],
    [T - 2 * HOUR, null],
    [T + 8 * HOUR, 6 * HOUR],
    [T - HOUR, 6 * HOUR],
  ] as const) {
    expect(after([{ at, running }]).doubtedSince).toBeNull();
  }
});

test("nothing written down means doubt where there is something to lose", () => {
  expect(judge(undefined, T, null)).toEqual({ seenAt: T, doubtedSince: T });
});
