// Agents that run though the database doesn't know them, for example after an older backup was restored.

import { useQuery } from "@tanstack/react-query";
import { api, invalidate, mutate, unwrap } from "./client.ts";
import { keyed } from "./keyed.ts";
import type { UnknownSession } from "./rows.ts";

const UNKNOWN = ["unknown-sessions"];

export const useUnknownSessions = () =>
  useQuery({ queryKey: UNKNOWN, queryFn: () => unwrap(api["unknown-sessions"].get()) });

const at = ({ id }: UnknownSession) => api["unknown-sessions"]({ id });

/** Gives it to its task, which is created again if it is gone. */
export async function adoptSession(session: UnknownSession, change: object): Promise<void> {
  await mutate(() => unwrap(at(session).adopt.post(undefined, keyed(change))));
  void invalidate(UNKNOWN);
}

/** Its worktree stays. */
export async function endSession(session: UnknownSession, change: object): Promise<void> {
  await mutate(() => unwrap(at(session).delete(undefined, keyed(change))));
  void invalidate(UNKNOWN);
}
