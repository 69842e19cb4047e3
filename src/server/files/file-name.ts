// The name on disk of an uploaded file: still recognisable, and harmless in a shell.

/** A file name may have 255 bytes, and gets an id and a dash in front. */
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

/** Matches whole runs: searching for the end from each character would be quadratic. */
const RUN = /[.-]+/g;

/** Letters and digits of any script, dots, dashes and underscores; no folder, hidden file or option. */
export function safeFileName(given: string): string {
  const last = given.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "-")
    .replace(RUN, (run, at: number, whole: string) => {
      if (at + run.length === whole.length) return "";
      return run.includes(".") ? "." : run;
    })
    .replace(/^[-\p{M}]+/u, "");
  const name = clean === "" || clean.startsWith(".") ? NAMELESS + clean : clean;
  const ending = /\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? "";
  return cut(name.slice(0, name.length - ending.length), MOST_BYTES - bytes(ending)) + ending;
}
