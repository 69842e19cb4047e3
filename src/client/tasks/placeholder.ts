// The card of a task that is still being created and has no id yet.

import { DEFAULT_AGENT, type TaskStatus } from "../../contract.ts";
import type { Task } from "../shared/api/rows.ts";

export interface NewTask {
  /** Its id until the server gives it one. */
  key: string;
  projectId: string;
  title: string;
  status: TaskStatus;
  /** Where it is left out, the server chooses. */
  agent?: string | undefined;
  /** When the person made it. */
  at: number;
}

export const isPlaceholderId = (id: string) => id.startsWith("new:");
export const isPlaceholder = ({ id }: Task) => isPlaceholderId(id);

const LATEST = 9_999_999_999_999;

export function placeholder({ key, projectId, title, status, agent = DEFAULT_AGENT, at }: NewTask): Task {
  const now = new Date(at).toISOString();
  return {
    id: key,
    projectId,
    title,
    description: null,
    pinned: false,
    status,
    position: ` ${LATEST - at}`, // sorts before every other, the newest first
    agent,
    agentOptions: null,
    otherOptions: null,
    sessionStatus: null,
    sessionId: null,
    agentSessionId: null,
    worktreePath: null,
    branch: null,
    sessionStartedAt: null,
    sessionError: null,
    sessionChangedAt: null,
    sessionOperation: null,
    activity: null,
    asks: null,
    lastReply: null,
    prompts: null,
    createdAt: now,
    updatedAt: now,
    completedFrom: null,
    deletedAt: null,
  };
}
