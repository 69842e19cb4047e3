import { expect, test } from "bun:test";
import { shortcutOf } from "../../../../src/client/terminal/input/keyboard.ts";

type Platform = Parameters<typeof shortcutOf>[1];

/** The last of the keys by its code; `types` where the layout is another one. */
function chord(keys: string, on: Platform, hasSelection = false, types?: string) {
  const parts = keys.split(" ");
  const code = parts.at(-1) ?? "";
  const has = (name: string) => parts.slice(0, -1).includes(name);
  const key = types ?? (/^Key/.test(code) ? code.slice(3).toLowerCase() : code);
  const event = {
    code,
    key,
    ctrlKey: has("Control"),
    shiftKey: has("Shift"),
    altKey: has("Alt"),
    metaKey: has("Meta"),
  };
  return shortcutOf(event as KeyboardEvent, on, hasSelection);
}

test("^C is the program's everywhere, but with a selection on Windows it copies first", () => {
  expect(chord("Control KeyC", "other", true)).toBeUndefined();
  expect(chord("Control KeyC", "mac", true)).toBeUndefined();
  expect(chord("Control KeyC", "windows", false)).toBeUndefined();
  expect(chord("Control KeyC", "windows", true)).toBe("copy-and-deselect");
  expect(chord("Control Shift KeyC", "windows", true)).toBe("copy");
});

test("copy, paste, find and select all are where each platform's people look for them", () => {
  for (const [letter, meant] of [
    ["C", "copy"],
    ["V", "paste"],
    ["F", "find"],
    ["A", "select-all"],
  ] as const) {
    expect(chord(`Control Shift Key${letter}`, "other")).toBe(meant);
    expect(chord(`Meta Key${letter}`, "mac")).toBe(meant);
    expect(chord(`Control Shift Key${letter}`, "mac")).toBeUndefined();
    expect(chord(`Meta Key${letter}`, "other")).toBeUndefined();
  }
  expect(chord("Shift Insert", "other")).toBe("paste");
  expect(chord("Control Insert", "other", true)).toBe("copy");
  expect(chord("Control KeyV", "other")).toBeUndefined();
});

test("a letter is where the layout has it, and where no layout has one, where it is on others", () => {
  // Dvorak: K is where V is elsewhere, and V where the full stop is.
  expect(chord("Control KeyV", "windows", false, "k")).toBeUndefined();
  expect(chord("Control Period", "windows", false, "v")).toBe("paste");
  expect(chord("Control Shift KeyI", "other", true, "C")).toBe("copy");
  expect(chord("Control Shift KeyL", "other", true, "N")).toBeUndefined();
  expect(chord("Control Shift KeyC", "other", true, "С")).toBe("copy");
});

test("the terminal is shown as text by the same keys everywhere", () => {
  for (const on of ["mac", "windows", "other"] as const) {
    expect(chord("Control Shift KeyL", on)).toBe("read");
    expect(chord("Control KeyL", on)).toBeUndefined();
  }
});

test("everything else belongs to the program", () => {
  for (const keys of [
    "Control KeyK",
    "Control KeyF",
    "Control KeyA",
    "Alt KeyC",
    "Control Alt KeyC",
    "Escape",
    "F1",
  ]) {
    expect(chord(keys, "other", true)).toBeUndefined();
  }
  expect(chord("Control Backquote", "mac")).toBe("leave");
});
