// A session's end: what its terminal showed is kept, the outcome is written down, the host may go.
// In this order, so that a crash in between only means that the next start does the rest.

import { isLive, STOPPED } from "../../../contract.ts";
import { sessionLogs } from "../../../db/schema.ts";
import { isHeld, killHolder, takeClaim } from "../../../host/claim.ts";
import { connectHost, type HostClient } from "../../../host/client.ts";
import { readExitRecord } from "../../../host/exit-record.ts";
import { TASK_MARKER } from "../../../host/processes.ts";
import { NO_LEADER, type StopOptions, stopEverything } from "../../../host/stop.ts";
import { STOP_LIMIT_MS, within } from "../../hosts/ask-host.ts";
import { keepLastOutput } from "../../hosts/last-output.ts";
import { newId } from "../../ids.ts";
import type { SessionParts } from "../parts.ts";
import { lost, type Outcome, outcomeOf } from "./outcome.ts";
import type { Watched } from "./watch.ts";

const TRY_AGAIN_MS = 5_000;
const REACH_AGAIN_MS = 1_000;
const LOST_GRACE_MS = 1_000;

export type Endings = ReturnType<typeof createEndings>;

const HOST_LOST =
  "The process that held the terminal ended unexpectedly. The work is still in the worktree: resume, or retry.";

export function createEndings(parts: SessionParts) {
  const { rows, runDir, watch, readings, log, checkpoint } = parts;
  const underWay = new Map<string, Promise<void>>();
  const stopping = new Set<string>();

  async function write(session: Watched, reasonIfLost: string): Promise<void> {
    const files = runDir.files(session.sessionId);
    const client = watch.client(session.sessionId);
    const last = client && (await keepLastOutput(files.socket, files.last).catch(() => undefined));
    // A host whose disk is full could not write it down.
    const record = readExitRecord(files.record) ?? (await client?.status().catch(hostWentAway))?.record;
    // A host that has not begun yet now never will, and what the lost one had started ends with it.
    if (client === undefined) takeClaim(files.claim);
    if (!record) await endLeftovers({ id: session.sessionId });
    const outcome = record ? outcomeOf(record, last?.screen.text) : lost(reasonIfLost);
    readings.over(session.sessionId);
    writeEnd(parts, session, outcome);
    checkpoint("end:written");
    client?.collect();
    watch.close(session.sessionId);
    readings.forget(session.sessionId);
    runDir.forgetHost(session.sessionId);
    log.info(`session ${session.sessionId} ended: ${outcome.error?.split("\n")[0] ?? "done"}`);
  }

  function conclude(session: Watched, reasonIfLost = HOST_LOST): Promise<void> {
    const { sessionId } = session;
    const running =
      underWay.get(sessionId) ?? write(session, reasonIfLost).finally(() => underWay.delete(sessionId));
    underWay.set(sessionId, running);
    return running;
  }

  /** A full disk is no reason to forget that a session ended: it is written down as soon as that is possible. */
  async function heard(session: Watched, reasonIfLost?: string): Promise<void> {
    readings.over(session.sessionId);
    if (stopping.has(session.sessionId)) return;
    try {
      await conclude(session, reasonIfLost);
    } catch (error) {
      log.error(`ending session ${session.sessionId}`, error);
      setTimeout(() => heard(session, reasonIfLost), TRY_AGAIN_MS).unref();
    }
  }

  /**
   * False when its host is gone. One that is there and does not answer, because it is busy, of another version, or
   * this process has no descriptor left, is tried again: that its claim's process ended is the only proof.
   */
  async function reach(session: Watched): Promise<boolean> {
    const { socket, claim } = runDir.files(session.sessionId);
    if (await watch.open(session, socket)) return true;
    if (!mayBeHeld(claim)) return false;
    setTimeout(() => missed(session), REACH_AGAIN_MS).unref();
    return true;
  }

  function missed(session: Watched) {
    const { taskId, sessionId } = session;
    const lookForIt = async () => {
      const task = rows.find(taskId);
      if (task?.sessionId !== sessionId || !isLive(task.sessionStatus)) return;
      if (!(await reach(session))) await heard(session);
    };
    lookForIt().catch((error) => log.error(`looking for the host of session ${sessionId}`, error));
  }

  return {
    conclude,

    reach,

    /** The connection is gone, and perhaps the host. */
    missed,

    /** The host says that the program ended. While it is being stopped there is more to end than that. */
    heard,

    /** Ends the agent and everything it started. */
    async stop(session: Watched): Promise<void> {
      const { sessionId } = session;
      stopping.add(sessionId);
      try {
        // After a crash in mid-start a host may be there that nobody watches yet.
        const { socket, claim } = runDir.files(sessionId);
        await watch.open(session, socket);
        if (await stopsAll(watch.client(sessionId))) await endLeftovers({ id: sessionId });
        else await endByForce(sessionId, claim);
        await conclude(session, STOPPED);
      } finally {
        stopping.delete(sessionId);
      }
    },
  };
}

/** Lets the host of a session go that is over; should its agent run all the same, it ends now. */
export async function dismiss(
  { runDir, log }: Pick<SessionParts, "runDir" | "log">,
  sessionId: string,
): Promise<void> {
  const { socket, claim } = runDir.files(sessionId);
  const client = await connectHost(socket).catch(hostWentAway);
  const hasEnded = client !== undefined && client.hello.exit !== null;
  if (!hasEnded) {
    if (client !== undefined) log.info(`session ${sessionId} belongs to no task any more and is ended`);
    if (!(await stopsAll(client))) await endByForce(sessionId, claim);
  }
  client?.collect();
  client?.close();
  runDir.forgetHost(sessionId);
}

function mayBeHeld(claim: string): boolean {
  try {
    return isHeld(claim);
  } catch {
    return true; // it can't even be read now
  }
}

/** False when there is no host, or it hangs: then what it had started is ended from here. */
async function stopsAll(host: HostClient | undefined): Promise<boolean> {
  if (host === undefined) return false;
  try {
    await within(STOP_LIMIT_MS, host.stop());
    return true;
  } catch {
    return false;
  }
}

/** Then it has nothing more to say. */
function hostWentAway(): undefined {}

/** A host that hangs, and what it had started. */
export const endByForce = (id: string, claim: string) => endLeftovers({ id, begin: () => killHolder(claim) });

/** Whatever sessions and shells of a task have left running, those of long ago too. */
export const endAllOf = (id: string) => endLeftovers({ id, marker: TASK_MARKER });

async function endLeftovers(whose: Pick<StopOptions, "id" | "marker" | "begin">): Promise<void> {
  await stopEverything({ ...whose, leader: NO_LEADER, graceMs: LOST_GRACE_MS });
}

/** The session is over: its row and its log say so together. */
export function writeEnd(
  { rows, readings }: Pick<SessionParts, "rows" | "readings">,
  session: Watched,
  outcome: Outcome,
): void {
  const gauges = readings.gauges(session.sessionId);
  const lastReply = readings.reply(session.sessionId);
  rows.report(session.taskId, session.sessionId, { type: "ended", ok: outcome.ok }, (task, tx) => {
    tx.insert(sessionLogs)
      .values({
        id: newId(),
        taskId: task.id,
        sessionId: session.sessionId,
        startedAt: task.sessionStartedAt ?? outcome.endedAt,
        endedAt: outcome.endedAt,
        exitStatus: outcome.ok ? "done" : "failed",
        error: outcome.error,
        branch: task.branch,
        agentSessionId: task.agentSessionId,
        exitCode: outcome.code,
        exitSignal: outcome.signal,
        lastReply,
        costUsd: gauges?.costUsd ?? null,
        model: gauges?.model ?? null,
      })
      .onConflictDoNothing()
      .run();
    return { columns: { sessionError: outcome.error, ...(lastReply !== null && { lastReply }) } };
  });
}
