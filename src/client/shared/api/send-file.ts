// Sends a file to the server and reports progress, which `fetch` can't.
import { type ErrorBody, LIMITS } from "../../../contract.ts";
import { pageKeyHeader } from "./page-key.ts";

/** Why a file could not be sent. */
export class SendError extends Error {
  constructor(
    message: string,
    /** Trying again may help. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}

/** Statuses about the file itself: trying again won't help. */
const LASTING = [400, 413, 422];

interface SendOptions {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress(share: number): void;
}

/** Resolves with the path the file was stored at. */
export function sendFile(url: string, file: File, { signal, onProgress }: SendOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (message: string, isPassing: boolean) => reject(new SendError(message, isPassing));
  if (file.size > LIMITS.fileBytes) {
    fail(`it is larger than ${LIMITS.fileBytes >> 20} MB; copy it into the worktree instead.`, false);
    return promise;
  }
  const request = new XMLHttpRequest();
  request.open("POST", `${url}?name=${encodeURIComponent(file.name.slice(-LIMITS.fileName))}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  for (const [name, value] of Object.entries(pageKeyHeader())) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onload = () => {
    const answer = parse(request.responseText);
    if (request.status === 201 && "path" in answer) resolve(answer.path);
    else {
      const message = "error" in answer ? answer.error.message : `the server answered ${request.status}.`;
      fail(message, !LASTING.includes(request.status));
    }
  };
  // A dropped folder looks like a file, but can't be read.
  request.onerror = () => fail("Couldn't reach the server, or couldn't read the file.", true);
  request.onabort = () => reject(signal.reason);
  signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}

function parse(text: string): { path: string } | ErrorBody | Record<string, never> {
  try {
    return JSON.parse(text) as { path: string } | ErrorBody;
  } catch {
    return {}; // not from banto: the status has to do
  }
}
