// Ending sessions from outside: when nobody asks their host to, because it is gone, hangs, or belongs to no task.

import { MARKER, TASK_MARKER } from "../../host/processes/processes.ts";
import { NO_LEADER, stopEverything } from "../../host/processes/stop.ts";
import { killHolder, takeClaim } from "../../host/protocol/claim.ts";
import { type ExitRecord, readExitRecord } from "../../host/protocol/exit-record.ts";
import type { Log } from "../log.ts";
import { connect, type HostConnection, within } from "./connection.ts";
import type { RunDir } from "./run-dir.ts";

export type { ExitRecord };

const GRACE_MS = 1_000;
/** Longer than a host tries for. */
const STOP_MS = 12_000;

/** By these a session's processes are found again, whoever started them. */
export const processMarks = (taskId: string, sessionId: string): Record<string, string> => ({
  [TASK_MARKER]: taskId,
  [MARKER]: sessionId,
});

/** What a session has left running. */
export const endLeftovers = (id: string) => stopEverything({ id, leader: NO_LEADER, graceMs: GRACE_MS });

/** What all sessions and shells of a task have left running, those of long ago too. */
export const endAllOfTask = (id: string) =>
  stopEverything({ id, marker: TASK_MARKER, leader: NO_LEADER, graceMs: GRACE_MS });

/** A host that hangs, and everything it had started. */
export const endByForce = (id: string, claim: string) =>
  stopEverything({ id, leader: NO_LEADER, graceMs: GRACE_MS, begin: () => killHolder(claim) });

/** How the program ended; undefined when its host went away without a word. Then nothing of it runs any more. */
export async function findExit(
  runDir: RunDir,
  id: string,
  host: HostConnection | undefined,
): Promise<ExitRecord | undefined> {
  const { record, claim } = runDir.files(id);
  // A host whose disk is full could not write it down.
  const found = readExitRecord(record) ?? (await host?.status().catch(() => undefined))?.record;
  // A host that has not begun yet now never will.
  if (host === undefined) takeClaim(claim);
  if (!found) await endLeftovers(id);
  return found ?? undefined;
}

/** The processes that its host could not end; undefined when that hangs or has gone. */
export const stopByHost = (host: HostConnection): Promise<number[] | undefined> =>
  within(STOP_MS, host.stop()).catch(() => undefined);

/** Lets the host of a session that is over go; should its program run all the same, it ends now. */
export async function dismissHost({ runDir, log }: { runDir: RunDir; log: Log }, id: string): Promise<void> {
  const { socket, claim } = runDir.files(id);
  const host = await connect(socket).catch(() => undefined);
  if (host === undefined) await endByForce(id, claim);
  else if (host.hello.exit === null) {
    log.info(`session ${id} belongs to no task any more and is ended`);
    if ((await stopByHost(host)) === undefined) await endByForce(id, claim);
  }
  host?.collect();
  host?.close();
  runDir.forgetHost(id);
}
