// Runs the operations of tasks to their end, one at a time for each task, including those that a crash or a full disk
// left unfinished.

import type { Operation } from "../../../contract.ts";
import type { SpareHost } from "../../hosts/spare-host.ts";
import type { KeyedQueue } from "../../keyed-queue.ts";
import type { RunOperation, SessionParts, StartHints } from "../parts.ts";
import { Busy } from "../store.ts";
import { runArchive } from "./archive.ts";
import { runRestore } from "./restore.ts";
import { runStart } from "./start.ts";
import { runStop } from "./stop.ts";

const RUN: Record<Operation, RunOperation> = {
  start: runStart,
  stop: runStop,
  archive: runArchive,
  restore: runRestore,
};

const TRY_AGAIN_MS = 5_000;

interface OperationsParts {
  parts: SessionParts;
  queue: KeyedQueue;
  spareHost: Pick<SpareHost, "order">;
}

export type Operations = ReturnType<typeof createOperations>;

export function createOperations({ parts, queue, spareHost }: OperationsParts) {
  const { rows, log } = parts;

  /** Runs a task's operation, and any that follow from it. */
  async function runAll(taskId: string, hints: StartHints): Promise<void> {
    for (;;) {
      const operation = rows.operation(taskId);
      if (operation === undefined) return;
      await RUN[operation.kind](parts, operation, hints);
      if (rows.operation(taskId)?.id === operation.id) return; // the next start of the server continues
    }
  }

  /**
   * An expected failure ends the operation. If even that can't be recorded, the disk is full or gone, and it is tried
   * again until somebody has fixed that.
   */
  async function run(taskId: string, hints: StartHints = {}): Promise<void> {
    try {
      await queue.run(taskId, () => runAll(taskId, hints));
    } catch (error) {
      if (rows.operation(taskId) !== undefined) setTimeout(() => void begin(taskId), TRY_AGAIN_MS).unref();
      throw error;
    }
  }

  const begin = (taskId: string, hints?: StartHints) =>
    run(taskId, hints).catch((error) => log.error(`task ${taskId}`, error));

  return {
    /** Rejects if the operation fails. */
    run: (taskId: string) => run(taskId),

    /** The same without waiting. */
    begin: (taskId: string) => void begin(taskId),

    async beginStart(taskId: string, hints: StartHints): Promise<void> {
      await begin(taskId, hints);
      hints.host?.dismiss(); // if it was not used
      spareHost.order();
    },

    /** Tries now, and again whenever an operation that was in the way is over. */
    async whenFree<T>(taskId: string, attempt: () => T): Promise<T> {
      for (;;) {
        try {
          return attempt();
        } catch (error) {
          // An operation that isn't running is waiting for somebody to fix a disk, which may take long.
          if (!(error instanceof Busy) || !queue.isBusy(taskId)) throw error;
          await queue.idle(taskId);
        }
      }
    },

    idle: queue.idle,
  };
}
