// What is sent to a viewer: only bytes, or bytes and control messages.
import { CLOSE, type ServerControl } from "../../../contract.ts";
import type { HostHandlers } from "../../hosts/connection.ts";

/** One WebSocket. Bytes are valid only during the call. */
export interface Outgoing {
  bytes(bytes: Uint8Array): void;
  text(text: string): void;
  close(code: number, reason: string): void;
}

/** A snapshot clears the terminal itself, so it needs no announcement. */
export const plainPipe = (out: Outgoing): HostHandlers => ({
  snapshot: out.bytes,
  output: out.bytes,
  exit: () => out.close(CLOSE.ended, "The program has ended."),
});

export function controlledPipe(out: Outgoing): HostHandlers {
  const say = (message: ServerControl) => out.text(JSON.stringify(message));
  return {
    attached: (attached) => say({ type: "hello", ...attached }),
    snapshot: out.bytes,
    output: out.bytes,
    size: (size) => say({ type: "size", ...size }),
    live: (offset) => say({ type: "live", offset }),
    resync: (resync) => say({ type: "resync", ...resync }),
    exit({ code, signal }) {
      say({ type: "exit", code, signal });
      out.close(CLOSE.ended, "The program has ended.");
    },
  };
}
