import { isIP } from "node:net";
import type { Server } from "bun";
import { forwarded } from "./forwarded.ts";

/** The address a request comes from. Proxies are believed only if they run on this machine. */
export function sourceOf(request: Request, server: unknown): string {
  const peer = (server as Server<unknown> | null)?.requestIP(request)?.address ?? "";
  const told = bare(forwarded(request)?.source ?? "");
  return isThisMachine(peer) && isIP(told) ? told : peer;
}

export const isThisMachine = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address);

/** Without brackets and port. */
const bare = (address: string) =>
  /^\[([^\]]+)\]/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, "$1");
