import { createStore } from "./store.ts";
import { wantedTerminal } from "./terminal-focus.ts";

const PAGES = ["board", "terminals", "history"] as const;
export type Page = (typeof PAGES)[number];

/** What the address bar holds, so that a reload, a link and the back button all work. */
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
    // Safari takes a hundred changes in half a minute. What is shown matters more than where a reload leads to.
  }
}

/** Its terminal, if there is one, takes the keyboard. */
export function openTask(taskId: string) {
  go({ taskId });
  wantedTerminal.set(taskId);
}

/** Opens it while a person goes from card to card: the keyboard stays on the board, and Back is one step. */
export function followTask(taskId: string) {
  wantedTerminal.set(null);
  go({ taskId }, "replaceState");
}

/** From where there is no room for a panel. */
export function openFullScreen(taskId: string) {
  go({ taskId, isFullScreen: true });
  wantedTerminal.set(taskId);
}

export function closeTask() {
  wantedTerminal.set(null);
  go({ taskId: null, isFullScreen: false });
}

/** A page replaces the board, and the task that was open beside it. */
export const showPage = (page: Page) => go({ page, taskId: null, isFullScreen: false });
export const showProject = (projectId: string | null) => go({ projectId });
/** The project is gone, so Back must not lead to it. */
export const forgetProject = () => go({ projectId: null }, "replaceState");
export const toggleFullScreen = () => go({ isFullScreen: !view.get().isFullScreen });
export const taskAddress = (taskId: string) => address({ ...view.get(), taskId });

/** Takes a used login code out of the address bar. */
export const forgetLoginCode = () => history.replaceState(null, "", "/");
