const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** Quoted where needed, so that a shell reads it as one word. */
export const quoteForShell = (word: string) =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
