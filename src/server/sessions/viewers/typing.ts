// Text as a terminal would pass it on, had a person pasted it there.
import { requireText } from "../../text.ts";

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how the sequence begins
const ENDS_PASTE = /(?:\x1b\[|\u009b)201~/g;
export const ENTER = "\r";

export function keystrokes(text: string, bracketedPaste: boolean): string {
  const lines = requireText("text", text).replace(/\r?\n/g, ENTER);
  return bracketedPaste && lines !== "" ? PASTE_START + withoutPasteEnd(lines) + PASTE_END : lines;
}

/** What ends a paste early would have the rest run as typed; taking one out may join two halves of another. */
function withoutPasteEnd(text: string): string {
  const stripped = text.replace(ENDS_PASTE, "");
  return stripped === text ? text : withoutPasteEnd(stripped);
}
