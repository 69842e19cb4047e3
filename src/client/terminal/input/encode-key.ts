// The bytes a key press sends to a program: xterm's classic encoding, or kitty's if the program asked for it.
import { type Key, type KeyModes, LETTER_KEYS, latinLetter, modifierBits, NUMBER_KEYS } from "./key.ts";
import { encodeKitty } from "./kitty-keys.ts";

const ESC = "\x1b";
const CSI = "\x1b[";
const SS3 = "\x1bO";

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

/** undefined: nothing to send, or text that the browser reports separately. */
export function encodeKey(key: Key, modes: KeyModes): string | undefined {
  if (modes.kitty > 0) return encodeKitty(key, modes.kitty);
  if (key.isRelease || key.metaKey) return undefined;
  return keypad(key, modes) ?? special(key, modes) ?? character(key);
}

function keypad({ key, code }: Key, modes: KeyModes): string | undefined {
  const letter = KEYPAD[code];
  // Without NumLock these are arrows and the like, and are sent as such.
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
      // Shells read a line feed as Enter, agents as a new line in the prompt.
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
