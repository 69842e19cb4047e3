import { dropStaleDenial } from "../features/asks/denial.ts";
import { outdate, queryClient, TASKS } from "../shared/api/client.ts";
import { USAGE } from "../shared/api/usage.ts";
import { view } from "../shared/stores/view.ts";
import { announce } from "../shared/ui/announcer.tsx";
import { isLive, standingOf } from "./display-status.ts";
import { LOGS, TRASH } from "./session-logs.ts";
import type { Task } from "./tasks.ts";

/** Looks at a row before it takes the place of the one that is known. */
export function heardOfTask(task: Task) {
  const before = queryClient.getQueryData<Task[]>(TASKS)?.find(({ id }) => id === task.id);
  if (needsSomeone(task) && before && !needsSomeone(before) && view.get().taskId !== task.id) {
    announce(`${task.title} needs you.`);
  }
  dropStaleDenial(task);
  if (before && !hasMoved(before, task)) return;
  void outdate([...LOGS, task.id]);
  void outdate(TRASH);
  void outdate(USAGE);
}

const needsSomeone = (task: Task) => standingOf(task).group === "needs";

/** A session began, ended, went to the trash or came back. */
const hasMoved = (before: Task, now: Task) =>
  isLive(before) !== isLive(now) ||
  before.sessionId !== now.sessionId ||
  before.sessionOperation !== now.sessionOperation ||
  before.worktreePath !== now.worktreePath ||
  before.deletedAt !== now.deletedAt;
