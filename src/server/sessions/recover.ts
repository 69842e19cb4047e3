// At start-up: first take back the hosts that still run, then settle what a crash left behind.

import { existsSync, readdirSync } from "node:fs";
import { isLive } from "../../contract.ts";
import { dismissHost } from "../hosts/end-host.ts";
import type { SessionParts } from "./parts.ts";

const SERVER_RESTART =
  "server restart: the agent was gone when banto came back. The work is still in the worktree: resume, or retry.";

/** The tasks whose operations are to be carried on with. */
export async function recover(parts: SessionParts): Promise<string[]> {
  const { rows, watch, endings, runDir, log, checkpoint } = parts;
  // What can't be settled now, on a full disk for one, must not keep the whole board shut.
  const orNextTime = (sessionId: string, dismissed: Promise<void>) =>
    dismissed.catch((error) => log.error(`ending what is left of session ${sessionId}`, error));
  const unfinished = rows.operations();
  // Those see to the host themselves; a restore has nothing to do with it.
  const carriedOn = new Set(unfinished.filter(({ kind }) => kind !== "restore").map(({ taskId }) => taskId));
  const known = new Set<string>();
  await Promise.all(
    rows.withSession().map(async ({ id: taskId, sessionId, sessionStatus }) => {
      if (sessionId === null) return;
      known.add(sessionId);
      const session = { taskId, sessionId };
      const { socket } = runDir.files(sessionId);
      if (!isLive(sessionStatus)) {
        if (existsSync(socket)) await orNextTime(sessionId, dismissHost(parts, sessionId));
        return;
      }
      const isThere = await watch.open(session);
      if (!isThere && !carriedOn.has(taskId)) await endings.ended(session, SERVER_RESTART);
    }),
  );
  checkpoint("recover:hosts");
  await Promise.all(
    strangers(runDir.path, known).map((sessionId) =>
      orNextTime(
        sessionId,
        dismissHost(parts, sessionId).then(() => runDir.forget(sessionId)),
      ),
    ),
  );
  return unfinished.map(({ taskId }) => taskId);
}

/** Sessions that have files though no task runs them: over, but the server ended before it could say so. */
function strangers(run: string, known: Set<string>): string[] {
  let names: string[];
  try {
    names = readdirSync(run);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const shells = new Set(names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5)));
  return names
    .filter((name) => name.endsWith(".claim"))
    .map((name) => name.slice(0, -6))
    .filter((sessionId) => !known.has(sessionId) && !shells.has(sessionId));
}
