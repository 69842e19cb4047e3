// File names are bytes, and not always text. Between git and the file system banto keeps them as latin1 strings.

/** The path, for the file system, of a file named by git. */
export const fileIn = (directory: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);

/** The name for people. */
export const readable = (name: string): string => Buffer.from(name, "latin1").toString("utf8");

/** The fields of `-z` output. */
export const fieldsOf = (output: string): string[] => output.split("\0").filter((field) => field !== "");
