// What is left of output when nobody will ever read it: the control sequences that change how later
// output is understood. Colours are left out too: they are half of a colourful flood, and what
// follows sets its own.

const ESC = 0x1b;
const BRACKET = 0x5b;
const SGR = 0x6d;

/** `open`: the bytes begin in the middle of a sequence, so that its end must be kept. */
export function withoutText(bytes: Uint8Array, open: boolean): Uint8Array {
  const kept: Uint8Array[] = [];
  let at = bytes.indexOf(ESC);
  if (open) kept.push(at < 0 ? bytes : bytes.subarray(0, at));
  while (at >= 0) {
    let end = at + 2;
    if (bytes[at + 1] === BRACKET) {
      while (end < bytes.length && (bytes[end] ?? 0) >= 0x20 && (bytes[end] ?? 0) < 0x40) end++;
      if (bytes[end] !== SGR) kept.push(bytes.subarray(at, end + 1));
      at = bytes.indexOf(ESC, end);
    } else {
      const next = bytes.indexOf(ESC, end);
      kept.push(bytes.subarray(at, next < 0 ? bytes.length : next));
      at = next;
    }
  }
  return Buffer.concat(kept);
}
