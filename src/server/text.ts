import { DomainError } from "./errors.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Text that SQLite, git, terminals and people all read the same way. */
export function requireText(field: string, value: string): string {
  if (!value.isWellFormed()) throw new DomainError("invalid", `${field}: has half of a surrogate pair.`);
  if (value.includes("\0")) throw new DomainError("invalid", `${field}: must not contain a NUL character.`);
  return value;
}

export function requireLine(field: string, value: string): string {
  const line = requireText(field, value).trim();
  if (line === "") throw new DomainError("invalid", `${field}: must not be empty.`);
  if (CONTROL.test(line)) {
    throw new DomainError("invalid", `${field}: must be one line without control characters.`);
  }
  return line;
}

/** Checks a value if there is one. */
export const given = <T, R>(value: T | undefined, check: (value: T) => R): R | undefined =>
  value === undefined ? undefined : check(value);

/** Empty text is the same as none. */
export function optionalText(field: string, value: string | null | undefined): string | null {
  return value ? requireText(field, value) : null;
}
