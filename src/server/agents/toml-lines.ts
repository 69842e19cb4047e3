// Finds lines in a TOML file. Bun's parser doesn't report them, so this parses the file up to each line: a statement
// ends at the first line up to which the file is valid. The same text is parsed many times, so callers limit its
// length.

type Table = Record<string, unknown>;

const tryParse = (text: string): Table | SyntaxError => {
  try {
    return Bun.TOML.parse(text) as Table;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
};

/** The file up to each of its lines, line break included. */
const beginnings = (text: string) => {
  const lines = text.split(/(?<=\n)/);
  return lines.map((_, i) => lines.slice(0, i + 1).join(""));
};

export class TomlError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Throws a TomlError that knows its line. */
export function parseToml(text: string): Table {
  const whole = tryParse(text);
  if (!(whole instanceof SyntaxError)) return whole;
  const outcomes = beginnings(text).map(tryParse);
  const lastGood = outcomes.findLastIndex((outcome) => !(outcome instanceof SyntaxError));
  // Before the line with the mistake, the error is a different one: something is incomplete.
  const line = outcomes.findIndex(
    (outcome, i) => i > lastGood && outcome instanceof SyntaxError && outcome.message === whole.message,
  );
  throw new TomlError(line + 1, whole.message.replace(/^TOML Parse error: /, ""));
}

const has = (table: unknown, [key, ...rest]: string[]): boolean => {
  if (key === undefined) return true;
  return typeof table === "object" && table !== null && key in table && has((table as Table)[key], rest);
};

/** The first line of the statement that defines the key, in a valid text. */
export function lineOf(text: string, path: string[]): number {
  const lines = text.split("\n");
  let start = 0;
  for (const [i, beginning] of beginnings(text).entries()) {
    const outcome = tryParse(beginning);
    if (outcome instanceof SyntaxError) continue;
    if (has(outcome, path)) break;
    start = i + 1;
  }
  while (/^\s*(#.*)?$/.test(lines[start] ?? "x")) start++;
  return start + 1;
}
