// What pasting a text sends to the program.

/** More than anyone pastes on purpose. A paste is sent in one message. */
export const PASTE_LIMIT = 4_000_000;

/** Each of these is sent as Enter. */
const BREAK = /\r\n|[\r\n\u2028\u2029]/g;
const BREAK_AND_BLANKS = new RegExp(`[ \\t]*\\\\?(?:${BREAK.source})\\s*`, "g");
// Anything that could end the brackets early or press a key; tabs and line breaks are text.
const CONTROLS = /(?![\t\r])\p{Cc}/gu;

export const splitLines = (text: string) => text.split(BREAK);
export const countLines = (text: string) => splitLines(text.trimEnd()).length;
export const isSeveralLines = (text: string) => countLines(text) > 1;

/** Nothing runs until the person presses Enter. A backslash at the end of a line is dropped with the line break. */
export const asOneLine = (text: string) => text.trim().replace(BREAK_AND_BLANKS, " ");

/** `isBracketed`: the program wants to know that it is a paste. */
export function preparePaste(text: string, isBracketed: boolean): string {
  const clean = text.replace(BREAK, "\r").replace(CONTROLS, "");
  return isBracketed ? `\x1b[200~${clean}\x1b[201~` : clean;
}
