// What a click can open: a program's hyperlinks, and addresses in its text.
import type { Emulator } from "../engine/emulator.ts";
import type { Hyperlink } from "../engine/hyperlinks.ts";
import { type LineSpan, LogicalLine, type Point } from "../engine/logical-line.ts";
import { claimedHost } from "./claimed-host.ts";

export interface Target {
  address: string;
  /** The host that the link's text names, if it leads to a different one. */
  claims: string | undefined;
}

export interface Link extends Target {
  spans: readonly LineSpan[];
}

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:"]);
const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"'`{}|\\^\p{Cc}│┃║]+/giu;
/** Punctuation that ends a sentence more often than an address. */
const TRAILING = `.,;:!?'")]`;

/** Anybody can print to a terminal, so only schemes that are safe to open are allowed. */
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
    const claims = claimedHost(textOf(emulator, point.line, own), address);
    return { address, claims, spans: [{ line: point.line, start: own.start, end: own.end }] };
  }
  const line = LogicalLine.around(emulator, point.line);
  const index = line.indexOf(point);
  const found = findAddresses(line.text).find((at) => at.index <= index && index < at.index + at.text.length);
  const address = found && safeAddress(found.text);
  if (found === undefined || address === undefined) return undefined;
  const claims = claimedHost(found.text, address);
  return {
    address,
    claims,
    spans: line.spans(found.index, found.index + found.text.length, emulator.size().cols),
  };
}

/** What a hyperlink's text reads as, also where it was wrapped into several rows. */
function textOf(emulator: Emulator, line: number, { address, start, end }: Hyperlink): string {
  const { cols } = emulator.size();
  const textIn = (row: number, from: number, to: number) => emulator.lines(row, 1).text(0, from, to);
  const part = (row: number, col: number) => {
    const found = emulator.hyperlink(row, col);
    return found?.address === address ? found : undefined;
  };
  let text = textIn(line, start, end);
  for (let row = line, from = start; from === 0 && line - row < MOST_ROWS && emulator.continues(row); row--) {
    const before = part(row - 1, cols - 1);
    if (before === undefined) break;
    text = textIn(row - 1, before.start, before.end) + text;
    from = before.start;
  }
  for (
    let row = line + 1, to = end;
    to === cols && row - line < MOST_ROWS && emulator.continues(row);
    row++
  ) {
    const after = part(row, 0);
    if (after === undefined) break;
    text += textIn(row, after.start, after.end);
    to = after.end;
  }
  return text;
}

const MOST_ROWS = 20;
