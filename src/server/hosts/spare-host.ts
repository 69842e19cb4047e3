// A host that is ready before anybody asks for one: its own start takes longer than making a small
// worktree. It has no session yet, only the id of the one it will run, after which its scope is named.

import { type PreparedHost, prepareHost } from "../../host/client/launch.ts";
import { newId } from "../ids.ts";
import type { Log } from "../log.ts";

/** After the last of several starts, so that none of them has to share the processors with this. */
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
    /** Has one ready soon. */
    order(afterMs = AFTER_START_MS) {
      if (!isKept) return;
      clearTimeout(refill);
      refill = setTimeout(prepare, afterMs);
      refill.unref();
    },

    /** For the session whose id it has, and no other; there is not always one. */
    take(): ReadyHost | undefined {
      const taken = spare?.isWaiting() ? spare : undefined;
      spare = undefined;
      return taken;
    },

    /** No session was promised under its id. */
    giveBack(host: ReadyHost) {
      if (spare === undefined) spare = host;
      else host.dismiss();
    },

    /** It would end with this process anyhow. */
    dispose() {
      clearTimeout(refill);
      spare?.dismiss();
    },
  };
}
