import { expect, test } from "bun:test";
import {
  encodeMouse,
  encoding,
  type MouseReport,
  tracking,
} from "../../../../src/client/terminal/pointer-and-touch/encode-mouse.ts";

const at = (more: Partial<MouseReport> = {}): MouseReport => ({
  kind: "press",
  button: 0,
  col: 9,
  row: 4,
  x: 70,
  y: 66,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  ...more,
});
const modes =
  (...set: number[]) =>
  (mode: number) =>
    set.includes(mode);

test("the widest tracking and the newest encoding that were asked for count", () => {
  expect([modes(), modes(9), modes(9, 1000), modes(1000, 1002), modes(1003, 1000)].map(tracking)).toEqual([
    "none",
    "x10",
    "click",
    "drag",
    "move",
  ]);
  expect(
    [modes(), modes(1005), modes(1015, 1005), modes(1006, 1015), modes(1016, 1006)].map(encoding),
  ).toEqual(["default", "utf8", "urxvt", "sgr", "pixels"]);
});

test("each form says the same", () => {
  expect(encodeMouse(at(), "click", "sgr")).toBe("\x1b[<0;10;5M");
  expect(encodeMouse(at({ kind: "release", button: 2 }), "click", "sgr")).toBe("\x1b[<2;10;5m");
  expect(encodeMouse(at({ ctrlKey: true, altKey: true }), "click", "sgr")).toBe("\x1b[<24;10;5M");
  expect(encodeMouse(at(), "click", "pixels")).toBe("\x1b[<0;71;67M");
  expect(encodeMouse(at({ kind: "release" }), "click", "urxvt")).toBe("\x1b[35;10;5M");
  expect(encodeMouse(at(), "click", "default")).toBe("\x1b[M *%");
  expect(encodeMouse(at({ col: 199 }), "click", "utf8")).toBe("\x1b[M \xc3\xa8%");
  expect(encodeMouse(at({ kind: "wheel", button: 1 }), "click", "sgr")).toBe("\x1b[<65;10;5M");
});

test("what was not asked for, or cannot be said, is not said", () => {
  expect(encodeMouse(at(), "none", "sgr")).toBeUndefined();
  expect(encodeMouse(at({ kind: "release" }), "x10", "default")).toBeUndefined();
  expect(encodeMouse(at({ kind: "move", button: 3 }), "drag", "sgr")).toBeUndefined();
  expect(encodeMouse(at({ kind: "move", button: 3 }), "move", "sgr")).toBe("\x1b[<35;10;5M");
  expect(encodeMouse(at({ col: 300 }), "click", "default")).toBeUndefined();
});
