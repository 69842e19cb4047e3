import { openDialog } from "../../shared/stores/dialog.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import type { Offer, SessionAction } from "../../tasks/actions.ts";
import { offersNow } from "../../tasks/available-actions.ts";
import { isLive } from "../../tasks/display-status.ts";
import { goToNextNeedy, isAnyoneNeedy } from "../../tasks/needs.ts";
import { type Task, taskActions } from "../../tasks/tasks.ts";
import type { Command, OfTask } from "./commands.ts";

const NAMES: Record<SessionAction, { title: string; keys?: string[] }> = {
  start: { title: "Start" },
  resume: { title: "Resume" },
  stop: { title: "Stop" },
  retry: { title: "Retry", keys: ["r"] },
  complete: { title: "Complete", keys: ["x"] },
};

/** The one thing `s` does: end what runs, else set it going. */
const toggles: SessionAction[] = ["stop", "resume", "start"];

export function sessionCommands(ofTask: OfTask): Command[] {
  const { act } = taskActions;
  const offer = (fits: (offer: Offer, task: Task) => boolean) => {
    const task = ofTask();
    const found = task && offersNow(task).find((each) => fits(each, task));
    return task && found && { task, ...found };
  };
  const command = (find: () => ReturnType<typeof offer>) => ({
    isAvailable: () => find() !== undefined,
    hint: () => find()?.does,
    run() {
      const found = find();
      if (found === undefined) return;
      act(found.task, found.action);
      announce(`${found.task.title}: ${found.label}.`);
    },
  });

  const toggle = command(() => offer(({ action }) => toggles.includes(action)));

  return [
    {
      id: "start-stop",
      title: "Start, resume or stop the agent",
      group: "Session",
      keys: ["s"],
      isKeyOnly: true,
      isAvailable: () => ofTask() !== undefined,
      run: () => (toggle.isAvailable() ? toggle.run() : openMenu(ofTask())),
    },
    ...Object.entries(NAMES).map(
      ([action, name]): Command => ({
        id: `session-${action}`,
        ...name,
        group: "Session",
        // By a single key nothing is taken away from an agent that is at work.
        ...command(() =>
          offer((each, task) => each.action === action && !(action === "retry" && isLive(task))),
        ),
      }),
    ),
    {
      id: "next-needy",
      title: "Next that needs you",
      group: "Go to",
      keys: ["n"],
      isAvailable: isAnyoneNeedy,
      run: () => goToNextNeedy(),
    },
    {
      id: "task-menu",
      title: "Everything for this card…",
      group: "Task",
      keys: ["."],
      isAvailable: () => ofTask() !== undefined,
      run: () => openMenu(ofTask()),
    },
  ];
}

function openMenu(task: Task | undefined) {
  if (task !== undefined) openDialog({ kind: "task-menu", taskId: task.id });
}
