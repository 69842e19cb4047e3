// What a person is asked and told about a text before it is pasted.
import { LINE_BREAK } from "../../../vt/paste.ts";

/** More than anyone pastes on purpose. A paste is sent in one message. */
export const PASTE_LIMIT = 4_000_000;

export const splitLines = (text: string) => text.split(LINE_BREAK);
export const countLines = (text: string) => splitLines(text.trimEnd()).length;
export const isSeveralLines = (text: string) => countLines(text) > 1;

/** Nothing runs until the person presses Enter. A backslash at the end of a line is dropped with the line break. */
export function asOneLine(text: string): string {
  const lines = splitLines(text.trim());
  const parts = lines.map((line, index) =>
    (index < lines.length - 1 ? line.replace(/\\$/, "") : line).trim(),
  );
  return parts.filter((part) => part !== "").join(" ");
}
