// The kitty keyboard protocol, in which every key is distinct and releases can be reported.
import { type Key, LETTER_KEYS, latinLetter, modifierBits, NUMBER_KEYS } from "./key.ts";

const EVENT_TYPES = 2;
const ALTERNATES = 4;
const ALL_KEYS = 8;
const TEXT = 16;

const SUPER = 8;
const REPEATED = 2;
const RELEASED = 3;

/** Keys with a number of their own. */
const FUNCTIONAL: Record<string, number> = { Escape: 27, Enter: 13, Tab: 9, Backspace: 127 };
const MODIFIERS: Record<string, number> = {
  ShiftLeft: 57_441,
  ControlLeft: 57_442,
  AltLeft: 57_443,
  MetaLeft: 57_444,
  ShiftRight: 57_447,
  ControlRight: 57_448,
  AltRight: 57_449,
  MetaRight: 57_450,
  CapsLock: 57_358,
};
/** What a key types without Shift. Browsers don't know the layout, so this is the US one. */
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';
const PLAIN = "`1234567890-=[]\\;',./";
const UNSHIFTED = new Map([...SHIFTED].map((character, i) => [character, PLAIN[i] ?? character]));

export function encodeKitty(key: Key, flags: number): string | undefined {
  const wantsTypes = (flags & EVENT_TYPES) !== 0;
  if (key.isRelease && !wantsTypes) return undefined;
  const bits = modifierBits(key) + (key.metaKey ? SUPER : 0);
  const type = wantsTypes ? (key.isRelease ? RELEASED : key.repeat ? REPEATED : 1) : 1;
  const tail = (text = "") => {
    const event = type === 1 ? "" : `:${type}`;
    if (bits === 0 && event === "" && text === "") return "";
    return `;${bits === 0 && event === "" ? "" : bits + 1}${event}${text}`;
  };

  const letter = LETTER_KEYS[key.key];
  if (letter !== undefined && letter !== "R")
    return tail() === "" ? `\x1b[${letter}` : `\x1b[1${tail()}${letter}`;
  const number = letter === "R" ? 13 : NUMBER_KEYS[key.key];
  if (number !== undefined) return `\x1b[${number}${tail()}~`;

  const isAll = (flags & ALL_KEYS) !== 0;
  const functional = FUNCTIONAL[key.key];
  if (functional !== undefined) {
    if (isAll || key.key === "Escape") return `\x1b[${functional}${tail()}u`;
    // Enter, Tab and Backspace stay as they are, so that a shell is usable after a program crashed.
    if (key.isRelease) return undefined;
    return bits === 0 ? String.fromCharCode(functional) : `\x1b[${functional}${tail()}u`;
  }
  const modifier = MODIFIERS[key.code];
  if (modifier !== undefined) return isAll ? `\x1b[${modifier}${tail()}u` : undefined;
  if ([...key.key].length !== 1) return undefined;

  const isText = key.isTyping || (bits & ~1) === 0;
  if (isText && !isAll && !key.isRelease) return undefined;
  const base = unshifted(key);
  const shifted = key.key.codePointAt(0) ?? 0;
  const alternate = (flags & ALTERNATES) !== 0 && key.shiftKey && shifted !== base ? `:${shifted}` : "";
  const text = (flags & TEXT) !== 0 && isText && !key.isRelease ? `;${shifted}` : "";
  return `\x1b[${base}${alternate}${tail(text)}u`;
}

function unshifted(key: Key): number {
  const letter = latinLetter(key);
  const plain = key.shiftKey ? (UNSHIFTED.get(letter) ?? letter.toLowerCase()) : letter.toLowerCase();
  return plain.codePointAt(0) ?? 0;
}
