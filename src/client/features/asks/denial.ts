import { createStore } from "../../shared/stores/store.ts";
import { showToast } from "../../shared/ui/toast.tsx";
import type { Task } from "../../tasks/tasks.ts";

/** The request whose denial is being worded; one at a time. */
export const denying = createStore<{ taskId: string; askId: string; text: string } | null>(null);

/** Someone else was faster. What was typed is not thrown away unseen. */
export function dropStaleDenial(task: Task) {
  const open = denying.get();
  if (open?.taskId !== task.id || task.asks?.id === open.askId) return;
  denying.set(null);
  if (open.text.trim() === "") return;
  showToast({ title: "Answered elsewhere; your message was not sent", detail: open.text });
}
