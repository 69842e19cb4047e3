import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { readInTurn } from "../../../../src/client/terminal/connection/read-in-turn.ts";

let now = 0;
let due: { turn(): void; ms: number }[] = [];
const undo: (() => void)[] = [];

beforeEach(() => {
  const timers = spyOn(globalThis, "setTimeout").mockImplementation(((turn: () => void, ms: number) =>
    due.push({ turn, ms })) as unknown as typeof setTimeout);
  const clock = spyOn(performance, "now").mockImplementation(() => now);
  undo.push(
    () => timers.mockRestore(),
    () => clock.mockRestore(),
  );
});

afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** Lets the next turn come, and gives how long was waited for it. */
function next(): number {
  const [first, ...others] = due;
  if (first === undefined || others.length > 0) throw new Error(`${due.length} turns are due`);
  due = [];
  first.turn();
  return first.ms;
}

test("all are read at each turn while that takes no time", () => {
  const read: string[] = [];
  const leave = ["a", "b", "c"].map((name) => readInTurn(() => read.push(name)));
  next();
  next();
  expect(read).toEqual(["a", "b", "c", "a", "b", "c"]);
  for (const each of leave) each();
  next();
  expect(read).toHaveLength(6);
  expect(due).toEqual([]);
});

test("when reading takes long, the others come next, and the page rests four times as long in between", () => {
  const read: string[] = [];
  const busy = (name: string) =>
    readInTurn(() => {
      read.push(name);
      now += 20;
    });
  const leave = ["a", "b", "c"].map(busy);
  const waits = Array.from({ length: 6 }, next);
  expect(read).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(waits.slice(1)).toEqual([80, 80, 80, 80, 80]);
  for (const each of leave) each();
  next();
  expect(due).toEqual([]);
});
