import { queryClient } from "../shared/api/client.ts";
import { getTasks, TASKS } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";

/** Calls back for every task that is new or has changed on the server. */
export function watchTasks(onChange: (task: Task, before: Task | undefined) => void) {
  let tasks = getTasks();
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== TASKS[0] || getTasks() === tasks) return;
    const before = new Map(tasks.map((task) => [task.id, task]));
    tasks = getTasks();
    for (const task of tasks) if (before.get(task.id) !== task) onChange(task, before.get(task.id));
  });
}
