// What an agent asks for, in full: a command, a diff, or JSON.

/** A diff has marks at the start of its lines. */
export const isDiff = (text: string) => /^(@@ |--- |\+\+\+ )/m.test(text);
const isFileName = (line: string) => /^(---|\+\+\+) /.test(line);

function colorOf(line: string): string {
  if (isFileName(line) || line.startsWith("@@")) return "text-faint";
  if (line.startsWith("+")) return "text-finished";
  return line.startsWith("-") ? "text-failed" : "";
}

/** The first lines that say something, for where there is room for a few; and how many more there are. */
export function firstLines(text: string, most: number): { text: string; more: number } {
  const lines = text.split("\n");
  const start = isDiff(text)
    ? Math.max(
        0,
        lines.findIndex((line) => !isFileName(line)),
      )
    : 0;
  const shown = lines.slice(start, start + most);
  return { text: shown.join("\n"), more: lines.length - start - shown.length };
}

/** A command is read letter by letter, so without ligatures. */
const LETTERS = "font-mono text-xs [font-variant-ligatures:none]";

/** The same for a few words within a line. */
export const Letters = ({ children }: { children: string }) => <span className={LETTERS}>{children}</span>;

interface DetailProps {
  text: string;
  /** Where only a part of it is shown, it may not look like one. */
  isColored?: boolean;
  className?: string;
}

export function Detail({ text, isColored = isDiff(text), className = "" }: DetailProps) {
  return (
    <pre data-detail className={`${LETTERS} ${className}`}>
      {text.split("\n").map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the text
        <span key={index} className={`block min-h-4 ${isColored ? colorOf(line) : ""}`}>
          {line}
        </span>
      ))}
    </pre>
  );
}
