// What a key press says to a program: xterm's classic encoding, or kitty's when the program asked for it.
import { encodeKitty } from "./kitty-keys.ts";

/** The part of a KeyboardEvent that matters. */
export interface Key {
  key: string;
  code: string;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  repeat: boolean;
  isRelease: boolean;
  /** AltGr and, on a Mac, Option make letters; the browser brings those as text. */
  isTyping: boolean;
}

export interface KeyModes {
  /** DECCKM: arrows as the program asked for them. */
  cursorKeys: boolean;
  /** The number pad as its own keys. */
  keypad: boolean;
  /** Flags of kitty's protocol; 0 when nobody asked for it. */
  kitty: number;
}

const ESC = "\x1b";
const CSI = "\x1b[";
const SS3 = "\x1bO";

/** Keys written with a letter: `CSI A`, or `CSI 1;2A` with modifiers. */
export const LETTER_KEYS: Record<string, string> = {
  ArrowUp: "A",
  ArrowDown: "B",
  ArrowRight: "C",
  ArrowLeft: "D",
  Home: "H",
  End: "F",
  F1: "P",
  F2: "Q",
  F3: "R",
  F4: "S",
};
/** Keys written with a number: `CSI 3~`, or `CSI 3;2~`. */
export const NUMBER_KEYS: Record<string, number> = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};
const KEYPAD: Record<string, string> = {
  NumpadEnter: "M",
  NumpadMultiply: "j",
  NumpadAdd: "k",
  NumpadComma: "l",
  NumpadSubtract: "m",
  NumpadDecimal: "n",
  NumpadDivide: "o",
  ...Object.fromEntries([..."pqrstuvwxy"].map((letter, digit) => [`Numpad${digit}`, letter])),
};
const CONTROL: Record<string, string> = {
  " ": "\0",
  "@": "\0",
  "2": "\0",
  "[": "\x1b",
  "3": "\x1b",
  "\\": "\x1c",
  "4": "\x1c",
  "]": "\x1d",
  "5": "\x1d",
  "^": "\x1e",
  "6": "\x1e",
  _: "\x1f",
  "/": "\x1f",
  "7": "\x1f",
  "?": "\x7f",
  "8": "\x7f",
};

export const modifierBits = ({ shiftKey, altKey, ctrlKey }: Key) =>
  (shiftKey ? 1 : 0) + (altKey ? 2 : 0) + (ctrlKey ? 4 : 0);

/** The letter on the key whatever script the layout is in: Ctrl with С is Ctrl with C. */
export const latinLetter = ({ key, code }: Pick<Key, "key" | "code">) => {
  const isLatin = key.length === 1 && key.charCodeAt(0) < 0x80;
  return isLatin ? key : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key);
};

/** undefined: not ours; either nothing or text that the browser will bring. */
export function encodeKey(key: Key, modes: KeyModes): string | undefined {
  if (modes.kitty > 0) return encodeKitty(key, modes.kitty);
  if (key.isRelease || key.metaKey) return undefined;
  return keypad(key, modes) ?? special(key, modes) ?? character(key);
}

function keypad({ key, code }: Key, modes: KeyModes): string | undefined {
  const letter = KEYPAD[code];
  // Without NumLock it has arrows and the like, which are told as such.
  const isMove = key in LETTER_KEYS || key in NUMBER_KEYS;
  return !modes.keypad || letter === undefined || isMove ? undefined : SS3 + letter;
}

function special(key: Key, { cursorKeys }: KeyModes): string | undefined {
  const bits = modifierBits(key);
  const letter = LETTER_KEYS[key.key];
  if (letter !== undefined) {
    if (bits > 0) return `${CSI}1;${bits + 1}${letter}`;
    return (letter >= "P" || cursorKeys ? SS3 : CSI) + letter;
  }
  const number = NUMBER_KEYS[key.key];
  if (number !== undefined) return bits > 0 ? `${CSI}${number};${bits + 1}~` : `${CSI}${number}~`;
  const meta = key.altKey ? ESC : "";
  switch (key.key) {
    case "Enter":
      // A line feed is Enter to a shell, and a new line in the prompt of an agent.
      return meta + (key.shiftKey && !key.altKey ? "\n" : "\r");
    case "Tab":
      return key.shiftKey ? `${CSI}Z` : `${meta}\t`;
    case "Backspace":
      return meta + (key.ctrlKey ? "\b" : "\x7f");
    case "Escape":
      return meta + ESC;
  }
  return undefined;
}

function character(key: Key): string | undefined {
  if ([...key.key].length !== 1 || key.isTyping) return undefined;
  const meta = key.altKey ? ESC : "";
  if (key.ctrlKey) {
    const letter = latinLetter(key).toLowerCase();
    if (letter >= "a" && letter <= "z") return meta + String.fromCharCode(letter.charCodeAt(0) & 0x1f);
    return meta + (CONTROL[letter] ?? letter);
  }
  return key.altKey ? ESC + key.key : undefined;
}
