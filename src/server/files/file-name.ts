// What a file that somebody hands over is called on disk: still recognisable, and harmless in a shell.

/** A path's last part may have 255 bytes, an id before it and a dash included. */
const MOST_BYTES = 120;
const NAMELESS = "file";

const bytes = (text: string) => Buffer.byteLength(text);

function cut(text: string, most: number): string {
  let kept = "";
  for (const character of text) {
    if (bytes(kept) + bytes(character) > most) break;
    kept += character;
  }
  return kept;
}

/** Letters and figures of any script, dots, dashes and underlines; no folder, no hidden file, no option. */
export function safeFileName(given: string): string {
  const last = given.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "-")
    .replace(/-*\.[.-]*/g, ".")
    .replace(/^[-\p{M}]+|[.-]+$/gu, "");
  const name = clean === "" || clean.startsWith(".") ? NAMELESS + clean : clean;
  const ending = /\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? "";
  return cut(name.slice(0, name.length - ending.length), MOST_BYTES - bytes(ending)) + ending;
}
