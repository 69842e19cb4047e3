// Reduces output that nobody will ever see to the control sequences that affect later output. Colours are left out too:
// they are half of a colourful flood, and what follows sets its own.

const ESC = 0x1b;
const BRACKET = 0x5b;
const SGR = 0x6d;

export interface Skimmed {
  bytes: Uint8Array;
  /** Maps a position to where it was in the original. Call it in ascending order. */
  origin(position: number): number;
}

/** `open`: the bytes begin in the middle of a sequence, whose end must be kept. */
export function withoutText(bytes: Uint8Array, open: boolean): Skimmed {
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
  return { bytes: Buffer.concat(kept), origin: originIn(bytes, kept) };
}

function originIn(bytes: Uint8Array, kept: Uint8Array[]) {
  let index = 0;
  let before = 0;
  return (position: number): number => {
    for (let part = kept[index]; part !== undefined; part = kept[++index]) {
      if (position <= before + part.length) return part.byteOffset - bytes.byteOffset + position - before;
      before += part.length;
    }
    return bytes.length;
  };
}
