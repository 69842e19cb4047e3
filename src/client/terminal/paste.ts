// What is sent for a pasted text.

/** More than anyone pastes on purpose; a whole paste travels in one message. */
export const PASTE_LIMIT = 4_000_000;

const BREAKS = /\r\n|\n|\u2028|\u2029/g;
// Whatever could end the brackets early or press a key; tabs and line breaks are text.
const CONTROLS = /(?![\t\r])\p{Cc}/gu;

export const isSeveralLines = (text: string) => /[\r\n]/.test(text.replace(/\s+$/, ""));
export const countLines = (text: string) => text.trimEnd().split(/\r\n|\r|\n/).length;

/** Nothing is run by it: Enter is left to the person. A line that says it goes on does so. */
export const asOneLine = (text: string) =>
  text.trim().replace(/[ \t]*\\?(?:\r\n|[\r\n\u2028\u2029])\s*/g, " ");

/** `isBracketed`: the program asked to be told that it is a paste. */
export function preparePaste(text: string, isBracketed: boolean): string {
  const clean = text.replace(BREAKS, "\r").replace(CONTROLS, "");
  return isBracketed ? `\x1b[200~${clean}\x1b[201~` : clean;
}
