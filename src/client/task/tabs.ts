import { createStore } from "../state/store.ts";
import { openTask } from "../state/view.ts";

export const TABS = ["terminal", "task", "history"] as const;
export type TabName = (typeof TABS)[number];

/** The tab a person chose in the panel of this task; until then the session decides. */
export const chosenTab = createStore<{ taskId: string; tab: TabName } | null>(null);

export function openTab(taskId: string, tab: TabName) {
  chosenTab.set({ taskId, tab });
  openTask(taskId);
}

/** Set while the field that chooses a task's agent is to take the focus. */
export const wantsAgentField = createStore(false);

export function choosingAgent(taskId: string) {
  wantsAgentField.set(true);
  openTab(taskId, "task");
}
