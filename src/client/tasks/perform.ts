// Runs an action on a session. Completing first looks at the worktree, and asks if the branch doesn't have all of the
// work.

import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../shared/api/client.ts";
import type { Task, Work } from "../shared/api/rows.ts";
import { openDialog } from "../shared/ui/open-dialog.ts";
import type { SessionAction } from "./actions.ts";
import { complete, runAction } from "./changes.ts";
import { isLive } from "./display-status.ts";
import { getTaskAsShown } from "./tasks.ts";
import { isAllOnBranch } from "./work.ts";

export function perform(task: Task, action: SessionAction) {
  if (action === "complete" && task.worktreePath !== null) void lookAndComplete(task);
  else runAction(task, action);
}

const fetchWork = (taskId: string) => unwrap(api.tasks({ id: taskId }).worktree.get());

const looking = new Set<string>();

async function lookAndComplete(task: Task) {
  const { id } = task;
  if (looking.has(id)) return;
  looking.add(id);
  const found: Work | Error = await fetchWork(id).catch((error: Error) => error);
  looking.delete(id);
  if (getTaskAsShown(id)?.sessionOperation !== null) return; // something else started in the meantime
  if (!(found instanceof Error) && isAllOnBranch(found)) complete(task, found);
  else openDialog({ kind: "complete", task, found });
}

/** Not while the agent is running: the worktree keeps changing, and is looked at when it matters. */
export function useWork(task: Task): Work | undefined {
  const { id, worktreePath, sessionChangedAt, sessionOperation } = task;
  const { data } = useQuery({
    queryKey: ["work", id, sessionChangedAt],
    queryFn: () => fetchWork(id),
    enabled: worktreePath !== null && sessionOperation === null && !isLive(task),
    staleTime: 2_000,
    retry: false,
  });
  return data;
}
