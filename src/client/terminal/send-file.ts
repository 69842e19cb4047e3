// Sends a file to the server, telling how far it is; `fetch` can't.
import { type ErrorBody, LIMITS } from "../../contract.ts";

interface SendOptions {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress(share: number): void;
}

/** Gives the path it was stored at. */
export function sendFile(url: string, file: File, { signal, onProgress }: SendOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (message: string) => reject(new Error(message));
  if (file.size > LIMITS.fileBytes) {
    fail(`it is larger than ${LIMITS.fileBytes >> 20} MB; copy it into the worktree instead.`);
    return promise;
  }
  const request = new XMLHttpRequest();
  request.open("POST", `${url}?name=${encodeURIComponent(file.name.slice(-LIMITS.fileName))}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onload = () => {
    const answer = parse(request.responseText);
    if (request.status === 201 && "path" in answer) resolve(answer.path);
    else fail("error" in answer ? answer.error.message : `the server answered ${request.status}.`);
  };
  // A folder can be dropped like a file, and then not be read.
  request.onerror = () => fail("banto can't be reached, or the file can't be read.");
  request.onabort = () => reject(signal.reason);
  signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}

function parse(text: string): { path: string } | ErrorBody | Record<string, never> {
  try {
    return JSON.parse(text) as { path: string } | ErrorBody;
  } catch {
    return {}; // not from banto: the status says it
  }
}
