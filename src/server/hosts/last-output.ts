// What a terminal showed when its program ended, so that the host doesn't have to stay just to be looked at.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Exit } from "../../host/protocol/exit-record.ts";
import type { Attached } from "../../host/protocol/messages.ts";
import { connect, type HostHandlers, type Screen, within } from "./connection.ts";

interface SizeAt {
  /** After this many of the bytes. */
  at: number;
  cols: number;
  rows: number;
}

export interface LastOutput extends Exit {
  attached: Omit<Attached, "viewer">;
  sizes: SizeAt[];
  /** Bytes of output in all. */
  offset: number;
  screen: Screen;
  /** The snapshot, where there is one, then the output after it. */
  bytes: Uint8Array;
}

const DEADLINE_MS = 5_000;

/** Asks a host whose program has ended for everything a new viewer would get, and stores it. */
export async function keepLastOutput(socketPath: string, file: string): Promise<LastOutput> {
  const chunks: Uint8Array[] = [];
  const sizes: SizeAt[] = [];
  let length = 0;
  let attached: Attached | undefined;
  const over = Promise.withResolvers<Exit>();
  const keep = (bytes: Uint8Array) => {
    chunks.push(bytes.slice());
    length += bytes.length;
  };
  over.promise.catch(() => {}); // if the host can't be reached, `connect` rejects and nobody waits for this
  const client = await connect(socketPath, {
    attached: (first) => {
      attached = first;
    },
    snapshot: keep,
    output: keep,
    size: ({ cols, rows }) => sizes.push({ at: length, cols, rows }),
    exit: over.resolve,
    closed: () => over.reject(new Error("the session host went away")),
  });
  const late = setTimeout(() => over.reject(new Error("the session host did not answer")), DEADLINE_MS);
  try {
    client.attach();
    const { code, signal } = await over.promise;
    if (attached === undefined) throw new Error("the session host did not say where it begins");
    const { viewer: _, ...start } = attached;
    const [screen, { offset }] = await within(DEADLINE_MS, Promise.all([client.screen(), client.status()]));
    const last = { attached: start, sizes, code, signal, offset, screen, bytes: Buffer.concat(chunks) };
    writeLastOutput(file, last);
    return last;
  } finally {
    clearTimeout(late);
    client.close();
  }
}

function writeLastOutput(file: string, { bytes, ...head }: LastOutput) {
  writeFileSync(`${file}.new`, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]), {
    mode: 0o600,
    flush: true,
  });
  renameSync(`${file}.new`, file);
}

export function readLastOutput(file: string): LastOutput | undefined {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const end = content.indexOf(10);
  try {
    return { ...JSON.parse(content.subarray(0, end).toString()), bytes: content.subarray(end + 1) };
  } catch {
    return undefined; // truncated by a power cut, from before such files were flushed: as good as none
  }
}

const NOBODY = 0;

/** Replays it to a viewer as the host would have. */
export function playLastOutput(last: LastOutput, viewer: HostHandlers): void {
  const { attached, sizes, bytes, offset } = last;
  viewer.attached?.({ ...attached, viewer: NOBODY });
  let at = attached.snapshotBytes;
  if (at > 0) viewer.snapshot?.(bytes.subarray(0, at));
  const upTo = (end: number) => {
    if (end > at) viewer.output?.(bytes.subarray(at, end), attached.offset + at - attached.snapshotBytes);
    at = Math.max(at, end);
  };
  for (const size of sizes) {
    upTo(size.at);
    viewer.size?.({ cols: size.cols, rows: size.rows, owner: null });
  }
  upTo(bytes.length);
  viewer.live?.(offset);
  viewer.exit?.({ code: last.code, signal: last.signal });
}
