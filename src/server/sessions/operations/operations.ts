// Runs the operations of tasks, one at a time for each task, until they are over: also those that a crash or a full
// disk has left unfinished.

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

  /** Runs a task's operation, and what that leads to. */
  async function runAll(taskId: string, hints: StartHints): Promise<void> {
    for (;;) {
      const operation = rows.operation(taskId);
      if (operation === undefined) return;
      await RUN[operation.kind](parts, operation, hints);
      if (rows.operation(taskId)?.id === operation.id) return; // the next start of the server goes on
    }
  }

  /**
   * What fails in an expected way ends its operation. Where even that could not be written down, the disk is full or
   * gone, and it is tried again until somebody has seen to it.
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
    /** Rejects with what the operation fails with. */
    run: (taskId: string) => run(taskId),

    /** The same, without waiting for it. */
    begin: (taskId: string) => void begin(taskId),

    async beginStart(taskId: string, hints: StartHints): Promise<void> {
      await begin(taskId, hints);
      hints.host?.dismiss(); // when something else came first
      spareHost.order();
    },

    /** Attempts what is refused while an operation is under way, as soon as that is over. */
    async whenFree<T>(taskId: string, attempt: () => T): Promise<T> {
      for (;;) {
        try {
          return attempt();
        } catch (error) {
          // An operation that nobody works on waits for a disk to be put right; that may take long.
          if (!(error instanceof Busy) || !queue.isBusy(taskId)) throw error;
          await queue.idle(taskId);
        }
      }
    },

    idle: queue.idle,
  };
}
