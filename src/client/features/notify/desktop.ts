import type { Task } from "../../shared/api/rows.ts";
import { createStore } from "../../shared/stores/store.ts";
import { openTask, showPage, view } from "../../shared/stores/view.ts";
import { bodyOf } from "./need.ts";

type Permission = NotificationPermission | "unsupported";

/** Browsers allow notifications only on localhost and over TLS. */
const read = (): Permission => ("Notification" in window ? Notification.permission : "unsupported");

export const permission = createStore<Permission>(read());

/** People can change it in the browser's settings at any time. */
export const refreshPermission = () => permission.set(read());

/** Asked for only when a person switches it on. */
export async function askPermission(): Promise<boolean> {
  if (permission.get() !== "unsupported") permission.set(await Notification.requestPermission());
  return permission.get() === "granted";
}

const shown = new Map<string, Notification>();

export function notify(task: Task) {
  refreshPermission();
  if (permission.get() !== "granted") return;
  const notification = show(task.title, bodyOf(task), task.id);
  if (notification === undefined) return;
  shown.set(task.id, notification);
  notification.onclick = () => {
    window.focus();
    if (view.get().page !== "board") showPage("board");
    openTask(task.id);
    notification.close();
  };
}

/** On phones, only service workers may show notifications. */
export function show(title: string, body: string, tag: string): Notification | undefined {
  try {
    return new Notification(title, { body, tag });
  } catch {
    permission.set("unsupported");
    return undefined;
  }
}

/** The need is over. */
export function withdraw(taskId: string) {
  shown.get(taskId)?.close();
  shown.delete(taskId);
}
