import { expect, test } from "bun:test";
import { encodeKey } from "../../../../src/client/terminal/input/encode-key.ts";
import type { Key, KeyModes } from "../../../../src/client/terminal/input/key.ts";
import { keyModes } from "../../../../src/client/terminal/input/keyboard.ts";
import { open } from "../support/emulator.ts";

const PLAIN: KeyModes = { cursorKeys: false, keypad: false, kitty: 0 };

/** `Control+Shift+a`, as a keyboard with the US layout sends it. */
function press(chord: string, more: Partial<Key> = {}): Key {
  const parts = chord === "+" ? ["+"] : chord.split("+");
  const key = parts.at(-1) ?? "";
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
  const has = (name: string) => parts.slice(0, -1).includes(name);
  return {
    key,
    code,
    shiftKey: has("Shift"),
    altKey: has("Alt"),
    ctrlKey: has("Control"),
    metaKey: has("Meta"),
    repeat: false,
    isRelease: false,
    isTyping: false,
    ...more,
  };
}

const encode = (chord: string, modes: Partial<KeyModes> = {}, more: Partial<Key> = {}) =>
  encodeKey(press(chord, more), { ...PLAIN, ...modes });

test("what types text is left to the browser", () => {
  for (const key of ["a", "A", "é", "日", "Dead", "Shift", "Process", "Unidentified"])
    expect(encode(key)).toBeUndefined();
  expect(encode("Control+Alt+@", {}, { isTyping: true })).toBeUndefined();
  expect(encode("Alt+å", {}, { isTyping: true })).toBeUndefined();
  expect(encode("Meta+c")).toBeUndefined();
});

test("control characters, whatever script the layout is in", () => {
  expect("abcxyz".split("").map((letter) => encode(`Control+${letter}`))).toEqual([
    ..."\x01\x02\x03\x18\x19\x1a",
  ]);
  expect(encode("Control+с", {}, { code: "KeyC" })).toBe("\x03");
  expect(encode("Control+Shift+C")).toBe("\x03");
  expect(encode("Control+Alt+c")).toBe("\x1b\x03");
  expect([" ", "@", "[", "\\", "]", "^", "_", "/", "?"].map((key) => encode(`Control+${key}`))).toEqual([
    "\0",
    "\0",
    "\x1b",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x1f",
    "\x1f",
    "\x7f",
  ]);
});

test("the number pad is keys of its own only when asked for, and where it moves the cursor never", () => {
  const two = { code: "Numpad2" };
  expect(encode("2", {}, two)).toBeUndefined();
  expect(encode("Enter", {}, { code: "NumpadEnter" })).toBe("\r");
  expect(encode("2", { keypad: true }, two)).toBe("\x1bOr");
  expect(encode("Enter", { keypad: true }, { code: "NumpadEnter" })).toBe("\x1bOM");
  expect(encode("ArrowDown", { keypad: true }, two)).toBe("\x1b[B");
  expect(encode("Control+Home", { keypad: true }, { code: "Numpad7" })).toBe("\x1b[1;5H");
  expect(encode("PageDown", { keypad: true }, { code: "Numpad3" })).toBe("\x1b[6~");
});

test("less and nano get the numbers of the number pad, as in other terminals", () => {
  const { emulator, write } = open();
  write("\x1b[?1h\x1b="); // what terminfo calls smkx
  expect(keyModes(emulator)).toEqual({ cursorKeys: true, keypad: false, kitty: 0 });
  write("\x1b[?1035l");
  expect(keyModes(emulator).keypad).toBe(true);
  write("\x1b>");
  expect(keyModes(emulator).keypad).toBe(false);
});

test("arrows change with the cursor key mode, and modifiers change them back", () => {
  expect(encode("ArrowUp", { cursorKeys: true })).toBe("\x1bOA");
  expect(encode("Control+ArrowUp", { cursorKeys: true })).toBe("\x1b[1;5A");
  expect(encode("F4")).toBe("\x1bOS");
  expect(encode("Alt+F4")).toBe("\x1b[1;3S");
});

test("kitty's protocol, told apart only", () => {
  const kitty = { kitty: 1 };
  const told: Record<string, string | undefined> = {
    a: undefined,
    "Shift+A": undefined,
    Enter: "\r",
    Tab: "\t",
    Backspace: "\x7f",
    "Shift+Enter": "\x1b[13;2u",
    "Alt+Backspace": "\x1b[127;3u",
    Escape: "\x1b[27u",
    "Control+i": "\x1b[105;5u",
    "Control+Shift+I": "\x1b[105;6u",
    "Alt+!": "\x1b[33;3u",
    F3: "\x1b[13~",
    F1: "\x1b[P",
    "Shift+ArrowUp": "\x1b[1;2A",
    Delete: "\x1b[3~",
  };
  for (const [chord, bytes] of Object.entries(told))
    expect([chord, encode(chord, kitty)]).toEqual([chord, bytes]);
  expect(encode("a", kitty, { isRelease: true })).toBeUndefined();
});

test("kitty's protocol with releases, all keys, alternates and text", () => {
  expect(encode("ArrowUp", { kitty: 3 }, { isRelease: true })).toBe("\x1b[1;1:3A");
  expect(encode("Escape", { kitty: 3 }, { repeat: true })).toBe("\x1b[27;1:2u");
  expect(encode("Enter", { kitty: 3 }, { isRelease: true })).toBeUndefined();
  expect(encode("a", { kitty: 8 })).toBe("\x1b[97u");
  expect(encode("Shift+A", { kitty: 8 })).toBe("\x1b[97;2u");
  expect(encode("Shift+!", { kitty: 12 })).toBe("\x1b[49:33;2u");
  expect(encode("a", { kitty: 24 })).toBe("\x1b[97;;97u");
  expect(encode("Enter", { kitty: 10 }, { isRelease: true })).toBe("\x1b[13;1:3u");
  expect(encode("Shift", { kitty: 8 }, { code: "ShiftLeft", shiftKey: true })).toBe("\x1b[57441;2u");
});
