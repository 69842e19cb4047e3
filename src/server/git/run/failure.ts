import { DomainError } from "../../errors.ts";
import type { GitResult } from "./git.ts";

type Advice = [RegExp, string];

// What git and the kernel say about problems with disks and permissions, and what people can do.
const SPACE: Advice[] = [
  [/No space left on device|ENOSPC/, "the disk is full; free some space and try again"],
  [/Disk quota exceeded|EDQUOT/, "the disk quota is used up; free some space and try again"],
];
const STORAGE: Advice[] = [
  [/Read-only file system|EROFS/, "the disk is read-only; make it writable and try again"],
  [
    /Permission denied|insufficient permission|EACCES|EPERM/,
    "banto isn't allowed to write there; check the permissions",
  ],
];
const OTHERS: Advice[] = [
  // For a large file git only says that it failed.
  [/unable to write file (.+)/, "$1 could not be written; see whether the disk is full, and try again"],
  [
    /Unable to create '(.+\.lock)': File exists/,
    "another git is at work, or left $1 behind; if none runs, delete it",
  ],
  [/cannot lock ref|Unable to lock/, "another git is changing the same reference; try again"],
  [/dubious ownership/, "another user owns it; run git config --global --add safe.directory for it"],
  [/bad config|bad numeric config/, "its configuration cannot be read; run git config --list there"],
  [
    /unable to read sha1 file|missing blob|could not fetch|unable to read tree|bad object|lazy fetching|promisor/,
    "some of its objects are missing; run git fsck, or in a partial clone git fetch --refetch, in it",
  ],
  [/was ended after/, "git took too long and was stopped; try again when the machine is less busy"],
];

/** `doing` completes "banto could not …". */
export function gitFailure(doing: string, { stderr, code }: GitResult): DomainError {
  const text = shortened(stderr);
  return (
    storageFailure(doing, text) ??
    failure("invalid", doing, explain(OTHERS, text) ?? (lastLine(stderr) || `git ended with ${code}`))
  );
}

/** Turns errors that people can act on into DomainErrors. Others stay as they are. */
function fileFailure(doing: string, cause: unknown): unknown {
  if (cause instanceof DomainError || !(cause instanceof Error)) return cause;
  return storageFailure(doing, `${(cause as { code?: string }).code} ${cause.message}`) ?? cause;
}

function storageFailure(doing: string, text: string): DomainError | undefined {
  const space = explain(SPACE, text);
  if (space !== undefined) return failure("no_space", doing, space);
  const other = explain(STORAGE, text);
  return other === undefined ? undefined : failure("invalid", doing, other);
}

const failure = (code: DomainError["code"], doing: string, reason: string) =>
  new DomainError(code, `banto could not ${doing}: ${reason}.`);

export async function explaining<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw fileFailure(doing, cause);
  }
}

/** With room for a path. Names are others' to choose, and patterns may look at a line more than once. */
const LONGEST_LINE = 5_000;

const shortened = (stderr: string) =>
  stderr
    .split("\n")
    .map((line) => line.slice(0, LONGEST_LINE))
    .join("\n");

function explain(table: Advice[], text: string): string | undefined {
  for (const [pattern, advice] of table) {
    const match = pattern.exec(text);
    if (match) return advice.replace("$1", match[1] ?? "");
  }
  return undefined;
}

function lastLine(stderr: string): string {
  const line = stderr.split("\n").findLast((text) => text.trim() !== "") ?? "";
  return line.replace(/^(fatal|error): /, "").replace(/\.$/, "");
}
