import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isHeld } from "../../host/protocol/claim.ts";

/** The sessions and shells of a data directory whose hosts are running, whoever started them. */
export function liveHosts(root: string): string[] {
  return claimed(join(root, "run")).filter((id) => isRunningHost(join(root, "run", `${id}.claim`)));
}

/** Whether the host that claimed the session is still running. */
export const isRunningHost = isHeld;

/** Sessions that were started and not forgotten since. */
export function claimed(run: string): string[] {
  try {
    return readdirSync(run).flatMap((name) => /^(.+)\.claim$/.exec(name)?.[1] ?? []);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
