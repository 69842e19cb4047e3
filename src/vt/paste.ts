// What pasting a text sends to the program in the terminal, from the page and by the API. A look at each character, once:
// what is pasted may be long and made by anyone.

/** Each of these is sent as Enter. */
export const LINE_BREAK = /\r\n|[\r\n\u2028\u2029]/g;
// Anything that could end the brackets early or press a key; tabs and line breaks are text.
const CONTROLS = /(?![\t\r])\p{Cc}/gu;

/** `isBracketed`: the program wants to know that it is a paste. */
export function preparePaste(text: string, isBracketed: boolean): string {
  const clean = text.replace(LINE_BREAK, "\r").replace(CONTROLS, "");
  return isBracketed ? `\x1b[200~${clean}\x1b[201~` : clean;
}
