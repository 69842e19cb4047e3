import { DomainError } from "../errors.ts";

/** The longest argument that Linux accepts, without the closing zero. */
const ARGUMENT_BYTES = 131_071;

export function taskPrompt({ title, description }: { title: string; description: string | null }): string {
  return description === null ? title : `${title}\n\n${description}`;
}

/** Refuses arguments that the system would refuse later. */
export function requireArguments(argv: string[]): void {
  const longest = Math.max(...argv.map((argument) => Buffer.byteLength(argument)));
  if (longest <= ARGUMENT_BYTES) return;
  throw new DomainError(
    "invalid",
    `The task's title and description make a prompt of ${longest.toLocaleString("en")} bytes, and a program can be given ${ARGUMENT_BYTES.toLocaleString("en")}. Shorten the description, or put the long part into a file of the repository and name it.`,
  );
}
