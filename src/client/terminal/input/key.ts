// A key press, and what classic encodings and kitty's have in common.

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
  /** AltGr and, on a Mac, Option type characters; the browser brings those as text. */
  isTyping: boolean;
}

export interface KeyModes {
  /** DECCKM: the program wants application cursor keys. */
  cursorKeys: boolean;
  /** DECPAM: the program wants the number pad as keys of its own. */
  keypad: boolean;
  /** Flags of kitty's protocol; 0 when it is off. */
  kitty: number;
}

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

export const modifierBits = ({ shiftKey, altKey, ctrlKey }: Key) =>
  (shiftKey ? 1 : 0) + (altKey ? 2 : 0) + (ctrlKey ? 4 : 0);

/** The Latin letter on the key, whatever script the layout has: Ctrl with Cyrillic С is Ctrl with C. */
export const latinLetter = ({ key, code }: Pick<Key, "key" | "code">) => {
  const isLatin = key.length === 1 && key.charCodeAt(0) < 0x80;
  return isLatin ? key : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key);
};
