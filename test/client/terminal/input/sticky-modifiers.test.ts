import { expect, test } from "bun:test";
import { plainKey, StickyModifiers } from "../../../../src/client/terminal/input/sticky-modifiers.ts";

test("one tap is for one key, two are until the third", () => {
  const held = new StickyModifiers();
  held.tap("ctrl");
  expect(held.apply(plainKey("c"))).toMatchObject({ key: "c", code: "KeyC", ctrlKey: true, altKey: false });
  expect(held.apply(plainKey("c")).ctrlKey).toBe(false);
  held.tap("ctrl");
  held.tap("ctrl");
  held.tap("alt");
  expect(held.apply(plainKey("Tab"))).toMatchObject({ ctrlKey: true, altKey: true });
  expect(held.apply(plainKey("Tab"))).toMatchObject({ ctrlKey: true, altKey: false });
  held.tap("ctrl");
  expect(held.isAny).toBe(false);
});

test("a text is a key only while something is held, and only when it is one", () => {
  const held = new StickyModifiers();
  expect(held.keyOf("c")).toBeUndefined();
  held.tap("ctrl");
  expect(held.keyOf("cd")).toBeUndefined();
  expect(held.isAny).toBe(true);
  expect(held.keyOf("C")).toMatchObject({ key: "c", ctrlKey: true });
  held.tap("alt");
  expect(held.keyOf("\x7f")).toMatchObject({ key: "Backspace", altKey: true });
  held.tap("alt");
  expect(held.keyOf("B")).toMatchObject({ key: "B", altKey: true });
});
