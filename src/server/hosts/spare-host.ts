// Keeps one host running in reserve, because starting a host takes longer than making a small worktree. It has no
// session yet, only the id of the one it will run, because its scope is named after that.

import { type PreparedHost, prepareHost } from "../../host/client/launch.ts";
import { newId } from "../ids.ts";
import type { Log } from "../log.ts";

/** Waits for the last of several starts, so that none of them competes with this for processors. */
const AFTER_START_MS = 20;

export interface ReadyHost extends PreparedHost {
  sessionId: string;
}

export type SpareHost = ReturnType<typeof createSpareHost>;

export function createSpareHost({ log, isKept }: { log: Log; isKept: boolean }) {
  let spare: ReadyHost | undefined;
  let refill: Timer | undefined;

  function prepare() {
    try {
      const sessionId = newId();
      spare ??= { sessionId, ...prepareHost(sessionId) };
    } catch (error) {
      log.error("preparing a session host", error); // the next start does without
    }
  }

  return {
    /** Prepares one soon, if there is none. */
    order(afterMs = AFTER_START_MS) {
      if (!isKept) return;
      clearTimeout(refill);
      refill = setTimeout(prepare, afterMs);
      refill.unref();
    },

    /** Takes the spare host, if there is one. It can only run the session whose id it has. */
    take(): ReadyHost | undefined {
      const taken = spare?.isWaiting() ? spare : undefined;
      spare = undefined;
      return taken;
    },

    /** For a host that was taken but not used. */
    giveBack(host: ReadyHost) {
      if (spare === undefined) spare = host;
      else host.dismiss();
    },

    /** The host would end with this process anyway. */
    dispose() {
      clearTimeout(refill);
      spare?.dismiss();
    },
  };
}
