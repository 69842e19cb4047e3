// Which tab was open in each task's panel, for a reload. Each browser tab remembers its own; a new one starts with the
// newest.

/** The agent's terminal, the task's own parts, and a tab for each shell. */
export type TabName = "terminal" | "task" | "history" | `shell:${string}`;

const KEY = "banto.tabs";
const MOST = 100;

type Entry = [taskId: string, tab: TabName];

function read(storage: Storage): Entry[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter(isEntry) : [];
  } catch {
    return []; // something else wrote it
  }
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";

export const recallTab = (taskId: string): TabName | undefined =>
  [...read(localStorage), ...read(sessionStorage)].findLast(([id]) => id === taskId)?.[1];

export function rememberTab(taskId: string, tab: TabName | null) {
  for (const storage of [localStorage, sessionStorage]) {
    const others = read(storage).filter(([id]) => id !== taskId);
    const entries = tab === null ? others : [...others, [taskId, tab]];
    storage.setItem(KEY, JSON.stringify(entries.slice(-MOST)));
  }
}
