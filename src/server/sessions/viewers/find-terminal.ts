// Where the terminal of a task is.
import { DomainError } from "../../errors.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import type { Tasks } from "../../tasks/tasks.ts";

export interface Place {
  sessionId: string;
  socketPath: string;
  /** What it showed last, once it has ended. */
  lastPath?: string;
  /** The session is being started: its host will be there soon. */
  isComing: boolean;
}

const COMING = ["pending", "provisioning"];

export type Places = ReturnType<typeof createPlaces>;

export function createPlaces({ tasks, runDir }: { tasks: Pick<Tasks, "get">; runDir: RunDir }) {
  return {
    /** The task's live session, or one that has ended and can still be looked at. */
    locate(taskId: string): Place | undefined {
      const { sessionId, sessionStatus } = tasks.get(taskId);
      if (sessionId === null || sessionStatus === null) return undefined;
      const isComing = COMING.includes(sessionStatus);
      return {
        sessionId,
        socketPath: runDir.files(sessionId).socket,
        lastPath: runDir.files(sessionId).last,
        isComing,
      };
    },
  };
}

export function requirePlace(place: Place | undefined): Place {
  if (place === undefined) throw new DomainError("conflict", "The task has no session; start one first.");
  return place;
}
