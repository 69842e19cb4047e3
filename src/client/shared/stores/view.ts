import { createStore } from "./store.ts";
import { wantedTerminal } from "./terminal-focus.ts";

const PAGES = ["board", "terminals", "history"] as const;
export type Page = (typeof PAGES)[number];

/** What the address bar holds, so that reloading, links and the Back button work. */
interface View {
  page: Page;
  /** null: all projects. */
  projectId: string | null;
  /** The task whose panel is open. */
  taskId: string | null;
  isFullScreen: boolean;
}

function read(): View {
  const query = new URLSearchParams(location.search);
  return {
    page: PAGES.find((page) => page === query.get("page")) ?? "board",
    projectId: query.get("project"),
    taskId: query.get("task"),
    isFullScreen: query.has("full"),
  };
}

function address({ page, projectId, taskId, isFullScreen }: View): string {
  const query = new URLSearchParams();
  if (page !== "board") query.set("page", page);
  if (projectId !== null) query.set("project", projectId);
  if (taskId !== null) query.set("task", taskId);
  if (taskId !== null && isFullScreen) query.set("full", "");
  const text = query.toString().replace(/full=(&|$)/, "full$1");
  return text === "" ? "/" : `/?${text}`;
}

export const view = createStore(read());
wantedTerminal.set(view.get().taskId);

window.addEventListener("popstate", () => view.set(read()));

function go(change: Partial<View>, write: "pushState" | "replaceState" = "pushState") {
  const next = { ...view.get(), ...change };
  view.set(next);
  if (address(next) === location.pathname + location.search) return;
  try {
    history[write](null, "", address(next));
  } catch {
    // Safari allows a hundred changes in half a minute. What is shown matters more than where a reload leads.
  }
}

/** Its terminal, if it has one, takes the focus. */
export function openTask(taskId: string) {
  go({ taskId });
  wantedTerminal.set(taskId);
}

/** Opens it while a person moves from card to card: the focus stays on the board, and Back leaves all of them. */
export function followTask(taskId: string) {
  wantedTerminal.set(null);
  go({ taskId }, "replaceState");
}

/** For pages that have no room for a panel beside them. */
export function openFullScreen(taskId: string) {
  go({ taskId, isFullScreen: true });
  wantedTerminal.set(taskId);
}

export function closeTask() {
  wantedTerminal.set(null);
  go({ taskId: null, isFullScreen: false });
}

/** A page replaces the board and closes the open task. */
export const showPage = (page: Page) => go({ page, taskId: null, isFullScreen: false });
export const showProject = (projectId: string | null) => go({ projectId });
/** The project is gone, so Back must not lead to it. */
export const forgetProject = () => go({ projectId: null }, "replaceState");
export const toggleFullScreen = () => go({ isFullScreen: !view.get().isFullScreen });
export const taskAddress = (taskId: string) => address({ ...view.get(), taskId });
