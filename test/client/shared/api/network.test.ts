import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { watchWake } from "../../../../src/client/shared/api/network.ts";

let now = 0;
let isHidden = false;
let tick = () => {};
const undo: (() => void)[] = [];

beforeEach(() => {
  isHidden = false;
  const clock = spyOn(Date, "now").mockImplementation(() => now);
  const timers = spyOn(globalThis, "setInterval").mockImplementation(((act: () => void) => {
    tick = act;
  }) as unknown as typeof setInterval);
  const page = globalThis.document;
  Object.assign(globalThis, {
    document: {
      get hidden() {
        return isHidden;
      },
    },
  });
  undo.push(
    () => clock.mockRestore(),
    () => timers.mockRestore(),
    () => Object.assign(globalThis, { document: page }),
  );
});

afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** The timer's next ticks, after so many seconds each; gives how often a wake was told of. */
function ticks(...seconds: number[]): number {
  let told = 0;
  const stop = watchWake(() => told++);
  for (const [i, wait] of seconds.entries()) {
    now += wait * 1_000;
    if (i === seconds.length - 1) isHidden = false; // somebody looks at last
    tick();
  }
  stop();
  return told;
}

test("a clock that has gone on without us means that the machine slept", () => {
  expect(ticks(5, 5, 6, 5)).toBe(0);
  expect(ticks(5, 60, 5)).toBe(1);
});

test("a page that nobody sees is woken once a minute, which is no sleep", () => {
  isHidden = true;
  expect(ticks(5, 60, 60, 61)).toBe(0);
  isHidden = true;
  expect(ticks(60, 3_600, 60)).toBe(1);
});
