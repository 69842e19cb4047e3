// Where in a TOML file something is. Bun's parser does not say, so it is asked about the file's
// beginnings: a statement is complete at the first line up to which the file can be read. That is many
// readings of the same text, so whoever calls this bounds how long it is.

type Table = Record<string, unknown>;

const tryParse = (text: string): Table | SyntaxError => {
  try {
    return Bun.TOML.parse(text) as Table;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
};

/** One per line, with the line break that ends it. */
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
  // Up to the line with the mistake the complaint is another one: something has not ended yet.
  const line = outcomes.findIndex(
    (outcome, i) => i > lastGood && outcome instanceof SyntaxError && outcome.message === whole.message,
  );
  throw new TomlError(line + 1, whole.message.replace(/^TOML Parse error: /, ""));
}

const has = (table: unknown, [key, ...rest]: string[]): boolean => {
  if (key === undefined) return true;
  return typeof table === "object" && table !== null && key in table && has((table as Table)[key], rest);
};

/** The first line of the statement that brings the key into being, in a text that can be parsed. */
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
