// Notifies a person when an agent starts to need one.

import { getProjects, getTasks } from "../../shared/api/lists.ts";
import type { Task } from "../../shared/api/rows.ts";
import { view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { needsPerson } from "../../tasks/needs.ts";
import { watchTasks } from "../../tasks/watch-tasks.ts";
import { notify, withdraw } from "./desktop.ts";
import { isNew, keyOf, type Need, needOf, waysToTell } from "./need.ts";
import { isOnScreen } from "./on-screen.ts";
import { claim, isAnotherLookedAt, watchFocus } from "./once.ts";
import { playTone } from "./sound.ts";
import { switches } from "./switches.ts";

/** By task, as of its last change. */
const needs = new Map<string, Need>();
let isStarted = false;

/** No notifications for what was on the board already when the page opened. */
export function startNotifying() {
  if (isStarted) return;
  isStarted = true;
  watchFocus();
  for (const task of getTasks()) note(task);
  watchTasks((task, before) => {
    const { known, need } = note(task);
    if (known !== null && (need === null || isNew(known, need))) withdraw(task.id);
    if (isNew(known, need)) void tell(task, need);
    if (before !== undefined && needsPerson(task) && !needsPerson(before) && view.get().taskId !== task.id) {
      announce(`${task.title} needs you.`);
    }
  });
}

function note(task: Task) {
  const need = needOf(task);
  const known = needs.get(task.id) ?? null;
  if (need === null) needs.delete(task.id);
  else needs.set(task.id, need);
  return { known, need };
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

const isProjectOn = ({ projectId }: Task) => getProjects().find(({ id }) => id === projectId)?.notify ?? true;
