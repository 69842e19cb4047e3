// Ends sessions from outside, because their host is gone, hangs, or belongs to no task.

import { rmSync } from "node:fs";
import { isRunning, MARKER, signalProcess, TASK_MARKER } from "../../host/processes/processes.ts";
import { stopEverything } from "../../host/processes/stop.ts";
import { findHolder, takeClaim } from "../../host/protocol/claim.ts";
import { type ExitRecord, readExitRecord } from "../../host/protocol/exit-record.ts";
import { readLeft } from "../../host/protocol/left-behind.ts";
import type { Log } from "../log.ts";
import { connect, type HostConnection, within } from "./connection.ts";
import type { RunDir } from "./run-dir.ts";

export type { ExitRecord };

const GRACE_MS = 1_000;
const LOOK_AGAIN_MS = 10;
const LAST_LOOKS = 100;
/** Longer than a host keeps trying. */
const STOP_MS = 12_000;

/** Environment variables by which a session's processes are found again, whoever started them. */
export const processMarks = (taskId: string, sessionId: string): Record<string, string> => ({
  [TASK_MARKER]: taskId,
  [MARKER]: sessionId,
});

/** Ends what a session has left running. */
export const endLeftovers = (id: string) => stopEverything({ id, graceMs: GRACE_MS });

/** Ends what all sessions and shells of a task have left running, however long ago. */
export async function endAllOfTask(runDir: RunDir, id: string): Promise<void> {
  const path = runDir.files(id).left;
  const still = await stopEverything({ id, marker: TASK_MARKER, left: readLeft(path), graceMs: GRACE_MS });
  if (still.length === 0) rmSync(path, { force: true });
}

/**
 * Ends a host that hangs, and everything it started. The host is only stopped at first: as long as it exists, it adopts
 * what its processes leave behind, so that this can be found.
 */
export async function endByForce(id: string, claim: string): Promise<number[]> {
  const host = findHolder(claim);
  if (host === undefined) return endLeftovers(id);
  signalProcess(host, "SIGSTOP");
  const left = await stopEverything({ id, host: host.pid, graceMs: GRACE_MS });
  signalProcess(host, "SIGKILL");
  for (let i = 0; i < LAST_LOOKS && isRunning(host); i += 1) await Bun.sleep(LOOK_AGAIN_MS);
  return left;
}

/** How the program ended; undefined if its host disappeared without a record. Then ends what is still running. */
export async function findExit(
  runDir: RunDir,
  id: string,
  host: HostConnection | undefined,
): Promise<ExitRecord | undefined> {
  const { record, claim } = runDir.files(id);
  // A host whose disk is full could not write it down.
  const found = readExitRecord(record) ?? (await host?.status().catch(() => undefined))?.record;
  // A host that has not started yet now never will.
  if (host === undefined) takeClaim(claim);
  if (!found) await endLeftovers(id);
  return found ?? undefined;
}

/** The processes that the host could not end; undefined if the host hangs or is gone. */
export const stopByHost = (host: HostConnection): Promise<number[] | undefined> =>
  within(STOP_MS, host.stop()).catch(() => undefined);

/** Lets the host of a finished session exit. If the program is still running, it is ended first. */
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
