// Hears every row the server sends, and tells a person when an agent begins to need one.

import { PROJECTS, queryClient, TASKS } from "../../shared/api/client.ts";
import type { Project } from "../../shared/api/projects.ts";
import type { Task } from "../../tasks/tasks.ts";
import { notify, withdraw } from "./desktop.ts";
import { isNew, keyOf, type Need, needOf, waysToTell } from "./need.ts";
import { isOnScreen } from "./on-screen.ts";
import { claim, isAnotherLookedAt, watchFocus } from "./once.ts";
import { playTone } from "./sound.ts";
import { switches } from "./switches.ts";

/** By task, as it was last heard. */
const needs = new Map<string, Need>();
let isStarted = false;

/** What is needed already when the page opens is there to be seen, and no news. */
export function startNotifying() {
  if (isStarted) return;
  isStarted = true;
  watchFocus();
  let rows: readonly Task[] = [];
  const hear = () => {
    const now = queryClient.getQueryData<Task[]>(TASKS) ?? [];
    if (now === rows) return;
    const before = new Set(rows);
    for (const task of now) if (!before.has(task)) heard(task, rows.length > 0);
    rows = now;
  };
  hear();
  queryClient.getQueryCache().subscribe(({ query }) => query.queryKey[0] === TASKS[0] && hear());
}

function heard(task: Task, isNews: boolean) {
  const need = needOf(task);
  const before = needs.get(task.id) ?? null;
  if (need === null) needs.delete(task.id);
  else needs.set(task.id, need);
  if (before !== null && (need === null || isNew(before, need))) withdraw(task.id);
  if (isNews && isNew(before, need)) void tell(task, need);
}

async function tell(task: Task, need: Need): Promise<void> {
  if (await isAnotherLookedAt()) return;
  const seen = await isOnScreen(task.id);
  const ways = waysToTell(need, switches.get(), { isProjectOn: isProjectOn(task), isOnScreen: seen });
  if (!seen && !ways.desktop && !ways.sound) return;
  if (!(await claim(keyOf(task, need))) || seen) return;
  if (ways.desktop) notify(task);
  if (ways.sound) await playTone();
}

const isProjectOn = ({ projectId }: Task) =>
  queryClient.getQueryData<Project[]>(PROJECTS)?.find(({ id }) => id === projectId)?.notify ?? true;
