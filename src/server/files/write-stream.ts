import type { FileHandle } from "node:fs/promises";
import { DomainError } from "../errors.ts";

const FULL = ["ENOSPC", "EDQUOT"];

/** Writes a stream to a file and returns its size. Refuses one that is too large or can't be written. */
export async function writeStream(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<number> {
  let size = 0;
  for await (const chunk of arriving(body)) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge(most);
    await write(file, chunk);
  }
  if (size === 0) throw new DomainError("invalid", "The file is empty.");
  return size;
}

export const tooLarge = (most: number) =>
  new DomainError(
    "too_large",
    `The file is larger than ${most >> 20} MB; copy it into the worktree instead.`,
  );

/** The sender may go away in the middle. */
async function* arriving(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("malformed", `The upload was interrupted: ${(cause as Error).message}.`);
  }
}

async function write(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten;
  } catch (cause) {
    if (!FULL.includes((cause as { code?: string }).code ?? "")) throw cause;
    throw new DomainError(
      "no_space",
      "The disk with banto's data is full, so the file was not stored. Free some space and try again.",
    );
  }
}
