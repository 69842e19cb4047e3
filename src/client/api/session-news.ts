import { dropStaleDenial } from "../answer/denying.ts";
import { isLive, standingOf } from "../session/standing.ts";
import { view } from "../state/view.ts";
import { announce } from "../ui/announcer.tsx";
import { outdate, queryClient, TASKS } from "./client.ts";
import { LOGS, TRASH } from "./sessions.ts";
import type { Task } from "./tasks.ts";
import { USAGE } from "./usage.ts";

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
