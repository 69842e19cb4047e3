import { createStore } from "./store.ts";
import { recallTab, rememberTab, type TabName } from "./tab-memory.ts";
import { wantedTerminal } from "./terminal-focus.ts";
import { openTask, view } from "./view.ts";

interface Choice {
  taskId: string;
  tab: TabName;
}

export const shellTab = (id: string): TabName => `shell:${id}`;
export const shellOf = (tab: TabName) => (tab.startsWith("shell:") ? tab.slice("shell:".length) : undefined);
const isTerminal = (tab: TabName) => tab === "terminal" || shellOf(tab) !== undefined;

/** The remembered tab. A task that is opened without a reload starts with a terminal, so others are ignored then. */
function recalled(taskId: string | null, isReload = false): Choice | null {
  const tab = taskId === null ? undefined : recallTab(taskId);
  return taskId !== null && tab !== undefined && (isReload || isTerminal(tab)) ? { taskId, tab } : null;
}

/** The tab a person chose in the panel of the open task; until then the session decides. */
export const chosenTab = createStore<Choice | null>(recalled(view.get().taskId, true));

view.subscribe(() => {
  const { taskId } = view.get();
  if (taskId !== null && taskId !== chosenTab.get()?.taskId) chosenTab.set(recalled(taskId));
});

chosenTab.subscribe(() => {
  const { taskId } = view.get();
  const choice = chosenTab.get();
  if (choice !== null) rememberTab(choice.taskId, choice.tab);
  else if (taskId !== null) rememberTab(taskId, null);
});

/** A terminal that is to take the keyboard has to be on screen. */
wantedTerminal.subscribe(() => {
  const choice = chosenTab.get();
  if (choice !== null && choice.taskId === wantedTerminal.get() && !isTerminal(choice.tab))
    chosenTab.set(null);
});

/** Shows a tab without moving the focus. */
export function chooseTab(taskId: string, tab: TabName) {
  wantedTerminal.set(null);
  chosenTab.set({ taskId, tab });
}

/** Shows a terminal and moves the focus into it. */
export function enterTab(taskId: string, tab: TabName) {
  chosenTab.set({ taskId, tab });
  wantedTerminal.set(taskId);
}

export function openTab(taskId: string, tab: TabName) {
  openTask(taskId);
  chooseTab(taskId, tab);
}

/** True until the field for a task's agent has taken the focus. */
export const wantsAgentField = createStore(false);

export function chooseAgent(taskId: string) {
  wantsAgentField.set(true);
  openTab(taskId, "task");
}
