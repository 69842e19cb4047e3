const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** As a shell takes it for one word. */
export const quoteForShell = (word: string) =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
