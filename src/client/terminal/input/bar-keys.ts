// The keys that phone keyboards lack, in the order of the bar.

import type { Key } from "./key.ts";
import { plainKey } from "./sticky-modifiers.ts";

export interface BarKey {
  /** What is on the key. */
  face: string;
  /** For screen readers. */
  name: string;
  key: Key;
  /** Repeats while it is held down. */
  repeats?: boolean;
}

const named = (face: string, name: string, key = name): BarKey => ({ face, name, key: plainKey(key) });
const repeated = (face: string, name: string, key: string): BarKey => ({
  ...named(face, name, key),
  repeats: true,
});

export const FIRST_KEYS: BarKey[] = [
  named("Esc", "Esc", "Escape"),
  named("Tab", "Tab"),
  { ...named("^C", "Control C"), key: { ...plainKey("c"), ctrlKey: true } },
  repeated("↑", "Up", "ArrowUp"),
  repeated("↓", "Down", "ArrowDown"),
  repeated("←", "Left", "ArrowLeft"),
  repeated("→", "Right", "ArrowRight"),
];

/** After Ctrl and Alt; found by swiping. */
export const MORE_KEYS: BarKey[] = [
  { ...named("⇧Tab", "Shift Tab"), key: { ...plainKey("Tab"), shiftKey: true } },
  { ...named("⇧⏎", "Shift Enter"), key: { ...plainKey("Enter"), shiftKey: true } },
  named("|", "Pipe", "|"),
  named("/", "Slash", "/"),
  named("~", "Tilde", "~"),
  named("-", "Dash", "-"),
  named("Home", "Home"),
  named("End", "End"),
  repeated("PgUp", "PgUp: page up", "PageUp"),
  repeated("PgDn", "PgDn: page down", "PageDown"),
  repeated("Del", "Del: delete", "Delete"),
];

export const ENTER_KEY = named("⏎", "Enter");
