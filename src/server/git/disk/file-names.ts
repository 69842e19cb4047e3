// A file's name is bytes, which need not be text. Between git and the file system banto keeps it as a latin1 string.

/** The path, for the file system, of a file that git named. */
export const fileIn = (directory: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);

/** For a person to read. */
export const readable = (name: string): string => Buffer.from(name, "latin1").toString("utf8");

/** Fields of `-z` output. */
export const fieldsOf = (output: string): string[] => output.split("\0").filter((field) => field !== "");
