// Which agent was last chosen for a new task of a project that has none of its own. This browser remembers.

const KEY = "banto.agents";
const MOST = 200;

type Entry = [projectId: string, agent: string];

function read(): Entry[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter(isEntry) : [];
  } catch {
    return []; // something else wrote it
  }
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";

export const recallAgent = (projectId: string): string | undefined =>
  read().find(([id]) => id === projectId)?.[1];

export function rememberAgent(projectId: string, agent: string) {
  const others = read().filter(([id]) => id !== projectId);
  try {
    localStorage.setItem(KEY, JSON.stringify([[projectId, agent], ...others].slice(0, MOST)));
  } catch {
    // no room: then it is chosen anew
  }
}
