import { join } from "node:path";
import { DataDirError, findServer } from "../data-dir.ts";
import { readToken } from "./token.ts";

/** Asks the running server for a new one-time link: for another browser, or because the first one expired. */
export async function requestLoginLink(dataDir: string): Promise<string> {
  const server = findServer(dataDir);
  const token = readToken(join(dataDir, "token"));
  const notRunning = new DataDirError(
    `no banto is running on the data directory ${dataDir}; start it with bin/banto`,
  );
  if (server === undefined || token === undefined) throw notRunning;
  const response = await fetch(new URL("/api/login-links", server.url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    proxy: false, // http_proxy would send the token through another machine
  }).catch(() => {
    throw notRunning;
  });
  if (!response.ok) throw new DataDirError(`the server at ${server.url} refused (${response.status})`);
  return ((await response.json()) as { url: string }).url;
}
