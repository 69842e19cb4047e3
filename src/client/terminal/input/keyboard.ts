// Listens to the keyboard while the terminal has it. Everything typed belongs to the program, but for
// the few chords that every terminal keeps for itself.
import { isComposing } from "../../shared/ui/composing.ts";
import type { Emulator } from "../engine/emulator.ts";
import { encodeKey, type Key, type KeyModes, latinLetter } from "./keys.ts";

export type Chord =
  | "copy"
  | "copy-and-unmark"
  | "find"
  | "read"
  | "select-all"
  | "larger"
  | "smaller"
  | "usual-size"
  | "leave";
type Platform = "mac" | "windows" | "other";

export const platform: Platform = /Mac|iPhone|iPad/.test(navigator.platform)
  ? "mac"
  : /Win/.test(navigator.platform)
    ? "windows"
    : "other";

/** Scrolling by keyboard, in pages or to an end. */
export type Scroll = "page-up" | "page-down" | "top" | "bottom";

export interface KeyboardEvents {
  onInput(text: string): void;
  /** A modifier alone or a release, for a program that asked for those: nothing was typed. */
  onAside(text: string): void;
  onChord(chord: Chord): void;
  onScroll(scroll: Scroll): void;
  hasSelection(): boolean;
  isComposing(): boolean;
  /** The key with what the key bar holds. */
  join(key: Key): Key;
}

/** "paste": left to the browser, which then brings what the clipboard holds. */
export function chordOf(
  event: KeyboardEvent,
  on: Platform,
  hasSelection: boolean,
): Chord | "paste" | undefined {
  const { ctrlKey, shiftKey, altKey, metaKey, code, key } = event;
  if (altKey) return undefined;
  if (ctrlKey && !metaKey && !shiftKey && code === "Backquote") return "leave";
  if (shiftKey && !ctrlKey && !metaKey && key === "Insert") return "paste";
  if (ctrlKey && !shiftKey && !metaKey && key === "Insert" && hasSelection) return "copy";
  const letter = latinLetter(event).toUpperCase();
  if (ctrlKey && shiftKey && !metaKey && letter === "L") return "read";
  const isMac = on === "mac";
  const isOwn = isMac ? metaKey && !ctrlKey : ctrlKey && shiftKey && !metaKey;
  if (isOwn && letter === "C") return "copy";
  if (isOwn && letter === "V") return "paste";
  if (isOwn && letter === "F") return "find";
  if (isOwn && letter === "A") return "select-all";
  if (on === "windows" && ctrlKey && !shiftKey && !metaKey) {
    // The next one is the program's.
    if (letter === "C" && hasSelection) return "copy-and-unmark";
    if (letter === "V") return "paste";
  }
  if (!(isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey)) return undefined;
  if (key === "+" || key === "=") return "larger";
  if (key === "-") return "smaller";
  return key === "0" && !shiftKey ? "usual-size" : undefined;
}

function scrollOf({ shiftKey, ctrlKey, altKey, metaKey, key }: KeyboardEvent): Scroll | undefined {
  if (!shiftKey || ctrlKey || altKey || metaKey) return undefined;
  if (key === "PageUp") return "page-up";
  if (key === "PageDown") return "page-down";
  if (key === "Home") return "top";
  return key === "End" ? "bottom" : undefined;
}

function keyOf(event: KeyboardEvent): Key {
  const isAltGraph =
    event.getModifierState("AltGraph") || (platform === "windows" && event.ctrlKey && event.altKey);
  const isOption = platform === "mac" && event.altKey && !event.ctrlKey && !event.metaKey;
  const isLetter = [...event.key].length === 1;
  return {
    key: event.key,
    code: event.code,
    shiftKey: event.shiftKey,
    altKey: event.altKey,
    ctrlKey: event.ctrlKey,
    metaKey: event.metaKey,
    repeat: event.repeat,
    isRelease: event.type === "keyup",
    isTyping: isLetter && (isAltGraph || isOption),
  };
}

const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"];

/** How the program wants its keys. */
export const keyModes = (emulator: Emulator): KeyModes => ({
  cursorKeys: emulator.mode(1),
  // Nearly all programs set the first to get the arrows they like; whoever means the number pad ends 1035 as well.
  keypad: emulator.mode(66) && !emulator.mode(1035),
  kitty: emulator.keyboardFlags,
});

export function listenToKeys(
  field: HTMLTextAreaElement,
  emulator: Emulator,
  events: KeyboardEvents,
): () => void {
  const stop = new AbortController();
  /** Keys whose press was not for the program; nor is their release. */
  const kept = new Set<string>();
  const onKey = (event: KeyboardEvent) => {
    // The board's own shortcuts are not for whoever types here.
    event.stopPropagation();
    if (isComposing(event) || events.isComposing()) return;
    if (event.type === "keydown") {
      const chord = chordOf(event, platform, events.hasSelection());
      if (chord === "paste") return;
      const scroll = emulator.isAlternate() ? undefined : scrollOf(event);
      if (chord !== undefined || scroll !== undefined) {
        event.preventDefault();
        kept.add(event.code);
        if (chord !== undefined) events.onChord(chord);
        else if (scroll !== undefined) events.onScroll(scroll);
        return;
      }
    } else if (kept.delete(event.code)) return;
    const key = keyOf(event);
    const isWhole = !key.isRelease && !MODIFIERS.includes(event.key);
    const text = encodeKey(isWhole ? events.join(key) : key, keyModes(emulator));
    if (text === undefined) return;
    event.preventDefault();
    if (isWhole) events.onInput(text);
    else events.onAside(text);
  };
  field.addEventListener("keydown", onKey, { signal: stop.signal });
  field.addEventListener("keyup", onKey, { signal: stop.signal });
  return () => stop.abort();
}
