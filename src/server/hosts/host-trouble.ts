// Why a running host can't be used. Its program goes on: nothing is ended because of it.

import { OtherVersion } from "../../host/client/connect.ts";

/** Hosts of an older or newer version may speak another protocol, and waiting doesn't help. */
export type HostTrouble = "silent" | "older" | "newer";

/** What a failed connection says about a running host. */
export const refusalOf = (error: unknown): HostTrouble | undefined => {
  if (!(error instanceof OtherVersion)) return undefined;
  return error.isOlder ? "older" : "newer";
};

/** Short enough for the close reason of a WebSocket, which has 123 bytes. */
export function troubleInWords(trouble: HostTrouble, what: "agent" | "shell"): string {
  if (trouble === "silent")
    return `The process that runs this terminal isn't answering. The ${what} was left alone and will show again.`;
  const runs = `The ${what} runs ${trouble === "older" ? "an older" : "a newer"} banto`;
  return what === "agent"
    ? `${runs}. To see its terminal, stop it and resume.`
    : `${runs}, so its terminal can't be seen here. Close it and open a new one.`;
}
