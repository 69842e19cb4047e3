// What a click can open: the program's hyperlinks, and addresses in its text.
import type { Emulator } from "../engine/emulator.ts";
import { type LineSpan, LogicalLine, type Point } from "../engine/logical-line.ts";

export interface Link {
  address: string;
  spans: readonly LineSpan[];
}

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:"]);
const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"'`{}|\\^\p{Cc}│┃║]+/giu;
/** Punctuation that ends a sentence more often than an address. */
const TRAILING = `.,;:!?'")]`;

/** Anybody can print to a terminal: only allow schemes that do nothing by being opened. */
export function safeAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && SAFE_SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** Addresses in a text, as they are written there. */
export function findAddresses(text: string): { index: number; text: string }[] {
  return [...text.matchAll(ADDRESS)].map((match) => ({ index: match.index, text: trim(match[0]) }));
}

/** Cuts off punctuation, but keeps a closing bracket that was opened in the address. */
function trim(address: string): string {
  let end = address.length;
  while (TRAILING.includes(address.charAt(end - 1))) end--;
  const count = (mark: string) => address.slice(0, end).split(mark).length;
  const open: Record<string, number> = { ")": count("(") - count(")"), "]": count("[") - count("]") };
  for (const mark of address.slice(end)) {
    const left = open[mark] ?? 0;
    if (left <= 0) break;
    open[mark] = left - 1;
    end++;
  }
  return address.slice(0, end);
}

export function linkAt(emulator: Emulator, point: Point): Link | undefined {
  const own = emulator.hyperlink(point.line, point.col);
  if (own !== undefined) {
    const address = safeAddress(own.address);
    if (address === undefined) return undefined;
    return { address, spans: [{ line: point.line, start: own.start, end: own.end }] };
  }
  const line = LogicalLine.around(emulator, point.line);
  const index = line.indexOf(point);
  const found = findAddresses(line.text).find((at) => at.index <= index && index < at.index + at.text.length);
  const address = found && safeAddress(found.text);
  if (found === undefined || address === undefined) return undefined;
  return { address, spans: line.spans(found.index, found.index + found.text.length, emulator.size().cols) };
}
