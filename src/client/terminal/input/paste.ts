// What is sent for a pasted text.

/** More than anyone pastes on purpose; a whole paste travels in one message. */
export const PASTE_LIMIT = 4_000_000;

/** Each of them is sent as Enter, so each of them ends a line. */
const BREAK = /\r\n|[\r\n\u2028\u2029]/g;
const BREAK_AND_BLANKS = new RegExp(`[ \\t]*\\\\?(?:${BREAK.source})\\s*`, "g");
// Whatever could end the brackets early or press a key; tabs and line breaks are text.
const CONTROLS = /(?![\t\r])\p{Cc}/gu;

export const splitLines = (text: string) => text.split(BREAK);
export const countLines = (text: string) => splitLines(text.trimEnd()).length;
export const isSeveralLines = (text: string) => countLines(text) > 1;

/** Nothing is run by it: Enter is left to the person. A line that says it goes on does so. */
export const asOneLine = (text: string) => text.trim().replace(BREAK_AND_BLANKS, " ");

/** `isBracketed`: the program asked to be told that it is a paste. */
export function preparePaste(text: string, isBracketed: boolean): string {
  const clean = text.replace(BREAK, "\r").replace(CONTROLS, "");
  return isBracketed ? `\x1b[200~${clean}\x1b[201~` : clean;
}
