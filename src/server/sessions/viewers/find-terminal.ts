// Finds a task's terminal.
import { isLive } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import type { TerminalAddress } from "../../hosts/connection.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import type { Runner } from "../runner.ts";

const COMING = ["pending", "provisioning"];

export type TerminalFinder = ReturnType<typeof createTerminalFinder>;

interface FinderParts {
  tasks: Pick<Tasks, "get">;
  runDir: RunDir;
  runner: Pick<Runner, "trouble">;
}

export function createTerminalFinder({ tasks, runDir, runner }: FinderParts) {
  /** The task's live session, or one that has ended but can still be looked at. */
  function find(taskId: string): TerminalAddress | undefined {
    const { sessionId, sessionStatus } = tasks.get(taskId);
    if (sessionId === null || sessionStatus === null) return undefined;
    const isComing = COMING.includes(sessionStatus);
    const { socket, last, claim } = runDir.files(sessionId);
    const trouble = isLive(sessionStatus) ? runner.trouble(sessionId) : undefined;
    return {
      sessionId,
      socketPath: socket,
      lastPath: last,
      claimPath: claim,
      what: "agent",
      trouble,
      isComing,
    };
  }

  return {
    find,

    require(taskId: string): TerminalAddress {
      const address = find(taskId);
      if (address !== undefined) return address;
      throw new DomainError("conflict", "The task has no session. Start one first.");
    },
  };
}
