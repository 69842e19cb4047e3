// Where the terminal of a task is.
import { DomainError } from "../../errors.ts";
import type { TerminalAddress } from "../../hosts/connection.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import type { Tasks } from "../../tasks/tasks.ts";

const COMING = ["pending", "provisioning"];

export type TerminalFinder = ReturnType<typeof createTerminalFinder>;

export function createTerminalFinder({ tasks, runDir }: { tasks: Pick<Tasks, "get">; runDir: RunDir }) {
  /** The task's live session, or one that has ended and can still be looked at. */
  function find(taskId: string): TerminalAddress | undefined {
    const { sessionId, sessionStatus } = tasks.get(taskId);
    if (sessionId === null || sessionStatus === null) return undefined;
    const isComing = COMING.includes(sessionStatus);
    const { socket, last } = runDir.files(sessionId);
    return { sessionId, socketPath: socket, lastPath: last, isComing };
  }

  return {
    find,

    require(taskId: string): TerminalAddress {
      const address = find(taskId);
      if (address !== undefined) return address;
      throw new DomainError("conflict", "The task has no session; start one first.");
    },
  };
}
