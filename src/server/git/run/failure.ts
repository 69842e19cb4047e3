import { DomainError } from "../../errors.ts";
import type { GitResult } from "./git.ts";

// What git and the kernel say about problems with disks and permissions, and what people can do.
const STORAGE: [RegExp, string][] = [
  [/No space left on device|ENOSPC/, "the disk is full; free some space and try again"],
  [/Disk quota exceeded|EDQUOT/, "the disk quota is used up; free some space and try again"],
  [/Read-only file system|EROFS/, "the disk can only be read; make it writable and try again"],
  [
    /Permission denied|insufficient permission|EACCES|EPERM/,
    "banto may not write there; check the permissions",
  ],
];
const OTHERS: [RegExp, string][] = [
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
    "its objects are not all there; run git fsck, or in a partial clone git fetch --refetch, in it",
  ],
  [/was ended after/, "git took too long and was ended; try again when the machine is less busy"],
];

/** `doing` completes "banto could not …". */
export function gitFailure(doing: string, { stderr, code }: GitResult): DomainError {
  const reason = known(stderr) ?? (lastLine(stderr) || `git ended with ${code}`);
  return new DomainError("invalid", `banto could not ${doing}: ${reason}.`);
}

/** Turns errors that people can act on into DomainErrors. Others stay as they are. */
function fileFailure(doing: string, cause: unknown): unknown {
  if (cause instanceof DomainError || !(cause instanceof Error)) return cause;
  const reason = explain(STORAGE, `${(cause as { code?: string }).code} ${cause.message}`);
  return reason === undefined ? cause : new DomainError("invalid", `banto could not ${doing}: ${reason}.`);
}

export async function explaining<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw fileFailure(doing, cause);
  }
}

/** With room for a path. Names are others' to choose, and patterns may look at a line more than once. */
const LONGEST_LINE = 5_000;

function known(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.slice(0, LONGEST_LINE));
  const text = lines.join("\n");
  return explain(STORAGE, text) ?? explain(OTHERS, text);
}

function explain(table: [RegExp, string][], text: string): string | undefined {
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
