// People read what an agent asks for before they allow it. Characters that are invisible, or that reorder others, are
// shown by their code point, so that what is read is what will run.

/** All but line breaks, tabs and the ordinary space. */
const HIDDEN = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t ]]/v.source;
/** A pile of accents that no language uses: it would cover the lines around it. */
const PILED = /(?<=\p{M}{4})\p{M}/v.source;

const SHOWN = new RegExp(String.raw`\p{RGI_Emoji}|${HIDDEN}|${PILED}`, "gv");
const IS_EMOJI = /^\p{RGI_Emoji}$/v;

const byNumber = (char: string) =>
  `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;

/** Emoji are made of such characters, and stay as they are. */
export const visibleText = (text: string): string =>
  text.replace(SHOWN, (found) => (IS_EMOJI.test(found) ? found : byNumber(found)));
