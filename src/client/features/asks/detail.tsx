// What an agent asks for, in full: a command, a diff, or JSON.

import { visibleText } from "../../shared/visible-text.ts";

export const isDiff = (text: string) => /^(@@ |--- |\+\+\+ )/m.test(text);
const isFileName = (line: string) => /^(---|\+\+\+) /.test(line);

function colorOf(line: string): string {
  if (isFileName(line) || line.startsWith("@@")) return "text-faint";
  if (line.startsWith("+")) return "text-finished";
  return line.startsWith("-") ? "text-failed" : "";
}

/**
 * The first few useful lines, and how many more there are. A diff's file names are skipped if the title has them
 * already.
 */
export function firstLines(text: string, most: number, said: string): { text: string; more: number } {
  const lines = text.split("\n");
  const isSaid = (line: string) => isFileName(line) && said.includes(line.slice("+++ ".length));
  const start = isDiff(text)
    ? Math.max(
        0,
        lines.findIndex((line) => !isSaid(line)),
      )
    : 0;
  const shown = lines.slice(start, start + most);
  return { text: shown.join("\n"), more: lines.length - start - shown.length };
}

/**
 * Commands have to be read letter by letter: no ligatures, and left to right in every script, as a terminal shows them.
 */
const LETTERS =
  "font-mono text-xs wrap-anywhere whitespace-pre-wrap [direction:ltr] [font-variant-ligatures:none] [unicode-bidi:isolate-override]";

/** The same within a line of text. */
export const Letters = ({ children }: { children: string }) => (
  <span className={LETTERS}>{withWholeOptions(visibleText(children))}</span>
);

/** As wide as fits the narrowest card. */
const OPTION = /(?<=^|\s)(-\S{1,20})(?=\s|$)/;

/** Every other part is an option. */
export const splitAtOptions = (text: string) => text.split(OPTION);

/** Where a line ends within an option, its two dashes would look like an argument of their own. */
const withWholeOptions = (text: string) =>
  splitAtOptions(text).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
      <span key={index} className="whitespace-pre">
        {part}
      </span>
    ),
  );

/** An agent's own words, isolated so that their direction can't affect the text around them. */
export const Words = ({ children, className = "" }: { children: string; className?: string }) => (
  <bdi className={`wrap-anywhere ${className}`}>{visibleText(children)}</bdi>
);

interface DetailProps {
  text: string;
  /** Given when only part of a diff is shown, which may not look like one. */
  isColored?: boolean;
}

export function Detail({ text, isColored = isDiff(text) }: DetailProps) {
  // What breaks before a word would leave a diff's mark alone on its line.
  const look = (line: string) => (isColored ? `break-all ${colorOf(line)}` : "");
  return (
    <pre data-detail className="text-xs">
      {text.split("\n").map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the text
        <span key={index} className={`block min-h-4 ${LETTERS} ${look(line)}`}>
          {isColored ? visibleText(line) : withWholeOptions(visibleText(line))}
        </span>
      ))}
    </pre>
  );
}
