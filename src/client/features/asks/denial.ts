import { createStore } from "../../shared/stores/store.ts";
import { showToast } from "../../shared/ui/toast.tsx";
import { watchTasks } from "../../tasks/watch-tasks.ts";

/** The ask that somebody is writing a denial for; one at a time. */
export const denial = createStore<{ taskId: string; askId: string; text: string } | null>(null);

/** When somebody else answers first, what was typed is shown once more before it is lost. */
watchTasks((task) => {
  const open = denial.get();
  if (open?.taskId !== task.id || task.asks?.id === open.askId) return;
  denial.set(null);
  if (open.text.trim() === "") return;
  showToast({ title: "Already answered elsewhere. Your message wasn't sent.", detail: open.text });
});
