// At start-up: first takes back the hosts that are still running, then cleans up what a crash left behind.

import { existsSync } from "node:fs";
import { isLive } from "../../contract.ts";
import { within } from "../hosts/connection.ts";
import { dismissHost } from "../hosts/end-host.ts";
import { PATIENCE_AT_START_MS } from "../hosts/host-watcher.ts";
import { claimed } from "../hosts/live-hosts.ts";
import type { SessionParts } from "./parts.ts";
import { shellIds } from "./shells/shell-files.ts";
import type { UnknownSessions } from "./unknown.ts";

const SERVER_RESTART =
  "server restart: the agent was gone when banto came back. The work is still in the worktree. Resume or retry.";

/** Resolves with the tasks whose operations have to be continued. */
export async function recover(
  parts: SessionParts & { unknown: Pick<UnknownSessions, "take" | "hasTask"> },
): Promise<string[]> {
  const { rows, watch, endings, runDir, unknown, log, checkpoint } = parts;
  // What takes long or fails, because a host is frozen or the disk is full, must not keep the board from starting.
  const orLater = (sessionId: string, dismissed: Promise<void>) => {
    dismissed.catch((error) => log.error(`ending what is left of session ${sessionId}`, error));
    return within(PATIENCE_AT_START_MS, dismissed).catch(() => {});
  };
  const unfinished = rows.operations();
  // These operations deal with the host themselves, except for a restore.
  const carriedOn = new Set(unfinished.filter(({ kind }) => kind !== "restore").map(({ taskId }) => taskId));
  const known = new Set<string>();
  await Promise.all(
    rows.withSession().map(async ({ id: taskId, sessionId, sessionStatus }) => {
      if (sessionId === null) return;
      known.add(sessionId);
      const session = { taskId, sessionId };
      const { socket } = runDir.files(sessionId);
      if (!isLive(sessionStatus)) {
        if (existsSync(socket)) await orLater(sessionId, dismissHost(parts, sessionId));
        return;
      }
      const isThere = await watch.open(session, PATIENCE_AT_START_MS);
      if (!isThere && !carriedOn.has(taskId)) await endings.ended(session, SERVER_RESTART);
    }),
  );
  checkpoint("recover:hosts");
  await Promise.all(
    strangers(runDir.path, known).map(async (sessionId) => {
      // If the end was recorded, the session is over, and the server died before it could tell the host.
      if (!rows.hasLog(sessionId) && (await unknown.take(sessionId))) return;
      const dismissed = dismissHost(parts, sessionId).then(() => runDir.forget(sessionId));
      await orLater(sessionId, dismissed);
    }),
  );
  return unfinished.map(({ taskId }) => taskId).filter((taskId) => !unknown.hasTask(taskId));
}

/** Sessions with files that belong to no task. */
function strangers(run: string, known: Set<string>): string[] {
  const shells = new Set(shellIds(run));
  return claimed(run).filter((sessionId) => !known.has(sessionId) && !shells.has(sessionId));
}
