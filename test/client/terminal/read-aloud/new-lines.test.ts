import { expect, test } from "bun:test";
import { createNewLines } from "../../../../src/client/terminal/read-aloud/new-lines.ts";

const RESTING = { cursorRow: -1, isEcho: false, isResting: true };
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${String.fromCharCode(97 + from + i)}`);

test("what is new is said once", () => {
  const lines = createNewLines();
  expect(lines.take(["$ make", "compiling", ""], RESTING)).toBe("$ make\ncompiling");
  expect(lines.take(["$ make", "compiling", ""], RESTING)).toBeUndefined();
  expect(lines.take(["$ make", "compiling", "linked"], RESTING)).toBe("linked");
});

test("a clock and a spinner that move are nothing new", () => {
  const lines = createNewLines();
  expect(lines.take(["✻ Thinking… (3s · 120 tokens)"], RESTING)).toContain("Thinking");
  expect(lines.take(["✽ Thinking… (4s · 164 tokens)"], RESTING)).toBeUndefined();
  expect(lines.take(["[=====>   ] 43%"], RESTING)).toBe("[=====>   ] 43%");
});

test("a flood is silent until it rests, and then its end is said", () => {
  const lines = createNewLines();
  const flowing = { ...RESTING, isResting: false };
  expect(lines.take(numbered(0, 8), flowing)).toBeUndefined();
  expect(lines.take(numbered(9, 16), flowing)).toBeUndefined();
  expect(lines.take(numbered(12, 19), RESTING)).toBe(numbered(15, 19).join("\n"));
});

test("a line or two are said though something else never rests", () => {
  const lines = createNewLines();
  const flowing = { ...RESTING, isResting: false };
  expect(lines.take(["✻ Working (1s)"], flowing)).toBe("✻ Working (1s)");
  expect(lines.take(["I will read the file.", "✽ Working (2s)"], flowing)).toBe("I will read the file.");
});

test("what a person types is not repeated, but what comes of it is said", () => {
  const lines = createNewLines();
  expect(lines.take(["$ "], RESTING)).toBe("$");
  expect(lines.take(["$ echo hi"], { cursorRow: 0, isEcho: true, isResting: true })).toBeUndefined();
  expect(lines.take(["$ echo hi", "hi", "$ "], { cursorRow: 2, isEcho: true, isResting: true })).toBe(
    "$ echo hi\nhi",
  );
});

test("a question at the cursor is said when nobody is typing", () => {
  const lines = createNewLines();
  lines.take(["done"], RESTING);
  expect(lines.take(["done", "Go on? [y/N]"], { cursorRow: 1, isEcho: false, isResting: true })).toBe(
    "Go on? [y/N]",
  );
});
