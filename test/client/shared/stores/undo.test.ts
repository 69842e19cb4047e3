import { beforeEach, expect, test } from "bun:test";
import { canUndo, pushUndo, undo } from "../../../../src/client/shared/stores/undo.ts";

const done: string[] = [];
const step = (name: string) => pushUndo(() => done.push(name));

beforeEach(() => {
  while (canUndo()) undo();
  done.length = 0;
});

test("what was done last is taken back first, several steps deep", () => {
  for (const name of ["one", "two", "three"]) step(name);
  undo();
  undo();
  step("four");
  undo();
  undo();
  expect(done).toEqual(["three", "two", "four", "one"]);
  expect(canUndo()).toBe(false);
  undo();
  expect(done).toHaveLength(4);
});

test("what never came to be, or was taken back by its button, is not taken back again", () => {
  step("one");
  const { forget } = step("refused");
  step("three");
  forget();
  undo();
  undo();
  expect(done).toEqual(["three", "one"]);
});

test("only so many steps are kept", () => {
  for (let at = 0; at < 150; at += 1) step(String(at));
  while (canUndo()) undo();
  expect(done).toHaveLength(100);
  expect(done.at(-1)).toBe("50");
});
