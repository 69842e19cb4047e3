// The keyboard while the terminal has the focus. All keys go to the program, except the few shortcuts that every
// terminal keeps for itself.
import { isComposing } from "../../shared/ui/composing.ts";
import type { Emulator } from "../engine/emulator.ts";
import { encodeKey } from "./encode-key.ts";
import { type Key, type KeyModes, latinLetter } from "./key.ts";

type ScrollKey = "page-up" | "page-down" | "top" | "bottom";
type FontKey = "larger" | "smaller" | "default-size";
export type Shortcut =
  | ("copy" | "copy-and-deselect" | "select-all" | "find" | "read" | "leave")
  | FontKey
  | ScrollKey;
type Platform = "mac" | "windows" | "other";

export const platform: Platform = /Mac|iPhone|iPad/.test(navigator.platform)
  ? "mac"
  : /Win/.test(navigator.platform)
    ? "windows"
    : "other";

export interface KeyboardEvents {
  onInput(text: string): void;
  /** A modifier alone or a key release, for programs that ask for those. Nothing was typed. */
  onReport(text: string): void;
  onShortcut(shortcut: Shortcut): void;
  hasSelection(): boolean;
  isComposing(): boolean;
  /** Adds the key bar's Ctrl and Alt. */
  applyModifiers(key: Key): Key;
}

/** "paste" is left to the browser, which provides the clipboard's content. */
export function shortcutOf(
  event: KeyboardEvent,
  on: Platform,
  hasSelection: boolean,
): Shortcut | "paste" | undefined {
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
    // Copying deselects, so that the next Ctrl C goes to the program.
    if (letter === "C" && hasSelection) return "copy-and-deselect";
    if (letter === "V") return "paste";
  }
  if (!(isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey)) return undefined;
  if (key === "+" || key === "=") return "larger";
  if (key === "-") return "smaller";
  return key === "0" && !shiftKey ? "default-size" : undefined;
}

function scrollOf({ shiftKey, ctrlKey, altKey, metaKey, key }: KeyboardEvent): ScrollKey | undefined {
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

/** How the program wants keys to be encoded. */
export const keyModes = (emulator: Emulator): KeyModes => ({
  cursorKeys: emulator.mode(1),
  // Nearly all programs set 66 along with the cursor keys. Only those that also turn off 1035 want the number pad.
  keypad: emulator.mode(66) && !emulator.mode(1035),
  kitty: emulator.keyboardFlags,
});

export function listenToKeys(
  field: HTMLTextAreaElement,
  emulator: Emulator,
  events: KeyboardEvents,
): () => void {
  const stop = new AbortController();
  /** Keys whose press was a shortcut. Their release must not reach the program either. */
  const kept = new Set<string>();
  const onKey = (event: KeyboardEvent) => {
    // The board's shortcuts don't apply here.
    event.stopPropagation();
    if (isComposing(event) || events.isComposing()) return;
    if (event.type === "keydown") {
      const shortcut =
        shortcutOf(event, platform, events.hasSelection()) ??
        (emulator.isAlternate() ? undefined : scrollOf(event));
      if (shortcut === "paste") return;
      if (shortcut !== undefined) {
        event.preventDefault();
        kept.add(event.code);
        events.onShortcut(shortcut);
        return;
      }
    } else if (kept.delete(event.code)) return;
    const key = keyOf(event);
    const isWhole = !key.isRelease && !MODIFIERS.includes(event.key);
    const text = encodeKey(isWhole ? events.applyModifiers(key) : key, keyModes(emulator));
    if (text === undefined) return;
    event.preventDefault();
    if (isWhole) events.onInput(text);
    else events.onReport(text);
  };
  field.addEventListener("keydown", onKey, { signal: stop.signal });
  field.addEventListener("keyup", onKey, { signal: stop.signal });
  return () => stop.abort();
}
