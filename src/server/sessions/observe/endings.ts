// Ends sessions: keeps the terminal's last output, records the outcome, lets the host exit. In this order, so that
// after a crash in between the next start does the rest.

import { STOPPED } from "../../../contract.ts";
import { sessionLogs } from "../../../db/schema.ts";
import { endLeftovers, findExit } from "../../hosts/end-host.ts";
import { keepLastOutput } from "../../hosts/last-output.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { newId } from "../../ids.ts";
import { keepTrying } from "../../keep-trying.ts";
import type { Log } from "../../log.ts";
import type { SessionRows } from "../store.ts";
import type { Channels } from "./channels.ts";
import { lost, type Outcome, outcomeOf } from "./outcome.ts";
import type { Readings } from "./readings.ts";
import type { SessionIds, SessionWatch } from "./session-watch.ts";

interface EndingsParts {
  rows: Pick<SessionRows, "report">;
  runDir: RunDir;
  watch: Pick<SessionWatch, "host" | "end" | "close">;
  readings: Readings;
  channels: Pick<Channels, "close">;
  log: Log;
  checkpoint(step: string): void;
}

export type Endings = ReturnType<typeof createEndings>;

const HOST_LOST =
  "The process that ran the terminal ended unexpectedly. The work is still in the worktree. Resume or retry.";

export function createEndings({ rows, runDir, watch, readings, channels, log, checkpoint }: EndingsParts) {
  const underWay = new Map<string, Promise<void>>();
  const stopping = new Set<string>();

  async function end(session: SessionIds, reasonIfLost: string): Promise<void> {
    const { sessionId } = session;
    const { socket, last: lastFile } = runDir.files(sessionId);
    const host = watch.host(sessionId);
    const last = host && (await keepLastOutput(socket, lastFile).catch(() => undefined));
    const record = await findExit(runDir, sessionId, host);
    const outcome = record ? outcomeOf(record, last?.screen.text) : lost(reasonIfLost);
    leaveAlone(sessionId);
    write(session, outcome);
    checkpoint("end:written");
    host?.collect();
    watch.close(sessionId);
    readings.forget(sessionId);
    runDir.forgetHost(sessionId);
    log.info(`session ${sessionId} ended: ${outcome.error?.split("\n")[0] ?? "done"}`);
  }

  /** Stops listening to its agent. */
  function leaveAlone(sessionId: string) {
    channels.close(sessionId);
    readings.stop(sessionId);
  }

  /** Records the end in the task's row and in the session log together. */
  function write(session: SessionIds, outcome: Outcome): void {
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

  function finish(session: SessionIds, reasonIfLost = HOST_LOST): Promise<void> {
    const { sessionId } = session;
    const running =
      underWay.get(sessionId) ?? end(session, reasonIfLost).finally(() => underWay.delete(sessionId));
    underWay.set(sessionId, running);
    return running;
  }

  return {
    /** Records how the session ended, and lets its host exit. */
    finish,

    /** Its program ended, or its host is gone. If it is being stopped, `stop` does the rest. */
    async ended(session: SessionIds, reasonIfLost?: string): Promise<void> {
      const { sessionId } = session;
      leaveAlone(sessionId);
      const finishUnlessStopped = async () => {
        if (!stopping.has(sessionId)) await finish(session, reasonIfLost);
      };
      await keepTrying(finishUnlessStopped, (error) => log.error(`ending session ${sessionId}`, error));
    },

    /** Ends the agent and everything it started. */
    async stop(session: SessionIds): Promise<void> {
      const { sessionId } = session;
      stopping.add(sessionId);
      try {
        // If it is ending by itself in this moment, its watcher is closed with that, and would never answer.
        const hasEnded = await underWay.get(sessionId)?.then(
          () => true,
          () => false,
        );
        if (hasEnded) {
          await endLeftovers(sessionId);
          return;
        }
        await watch.end(session);
        await finish(session, STOPPED);
      } finally {
        stopping.delete(sessionId);
      }
    },

    /** The session ended before its program ran. */
    failedToStart(session: SessionIds, reason: string): void {
      write(session, lost(reason));
      readings.forget(session.sessionId);
    },
  };
}
