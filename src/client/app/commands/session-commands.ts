import type { Task } from "../../shared/api/rows.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import type { AvailableAction, SessionAction } from "../../tasks/actions.ts";
import { getActions } from "../../tasks/available-actions.ts";
import { runAction } from "../../tasks/changes.ts";
import { isLive } from "../../tasks/display-status.ts";
import { tasksInNeed } from "../../tasks/needs.ts";
import { goToNextNeed } from "../next-need.ts";
import type { Command, OfTask } from "./command.ts";

const NAMES: Record<SessionAction, { title: string; keys?: string[] }> = {
  start: { title: "Start" },
  resume: { title: "Resume" },
  stop: { title: "Stop" },
  retry: { title: "Retry", keys: ["r"] },
  complete: { title: "Complete", keys: ["x"] },
};

/** What `s` does, the first that is possible: stop what runs, or start it. */
const toggles: SessionAction[] = ["stop", "resume", "start"];

export function sessionCommands(ofTask: OfTask): Command[] {
  const offer = (fits: (offer: AvailableAction, task: Task) => boolean) => {
    const task = ofTask();
    const found = task && getActions(task).find((each) => fits(each, task));
    return task && found && { task, ...found };
  };
  const command = (find: () => ReturnType<typeof offer>) => ({
    isAvailable: () => find() !== undefined,
    hint: () => find()?.does,
    run() {
      const found = find();
      if (found === undefined) return;
      runAction(found.task, found.action);
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
        // A single key never throws away the work of a running agent.
        ...command(() =>
          offer((each, task) => each.action === action && !(action === "retry" && isLive(task))),
        ),
      }),
    ),
    {
      id: "next-need",
      title: "Next that needs you",
      group: "Go to",
      keys: ["n"],
      isAvailable: () => tasksInNeed().length > 0,
      run: () => goToNextNeed(),
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
