import type { Task } from "../../shared/api/rows.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import type { AvailableAction, SessionAction } from "../../tasks/actions.ts";
import { getActions } from "../../tasks/available-actions.ts";
import { isLive } from "../../tasks/display-status.ts";
import { tasksInNeed } from "../../tasks/needs.ts";
import { perform } from "../../tasks/perform.ts";
import { goToNextNeed } from "../next-need.ts";
import { type Command, commandAbout, type OfTask } from "./command.ts";

const NAMES: Record<SessionAction, { title: string; keys?: string[] }> = {
  start: { title: "Start" },
  resume: { title: "Resume" },
  stop: { title: "Stop" },
  retry: { title: "Retry", keys: ["r"] },
  complete: { title: "Complete", keys: ["x"] },
  reopen: { title: "Reopen" },
};

/** `s` runs the first of these that is possible. On a card in Done it opens the menu. */
const TOGGLES: SessionAction[] = ["stop", "resume", "start"];

export function sessionCommands(ofTask: OfTask): Command[] {
  const command = (fits: (available: AvailableAction, task: Task) => boolean) =>
    commandAbout(
      () => {
        const task = ofTask();
        const found = task && getActions(task).find((each) => fits(each, task));
        return task && found && { task, ...found };
      },
      ({ task, action, label }) => {
        perform(task, action);
        announce(`${task.title}: ${label}.`);
      },
      ({ does }) => does,
    );
  const menu = commandAbout(ofTask, ({ id }) => openDialog({ kind: "task-menu", taskId: id }));
  const toggle = command(({ action }, { status }) => TOGGLES.includes(action) && status !== "done");

  return [
    {
      id: "start-stop",
      title: "Start, resume or stop the agent",
      group: "Session",
      keys: ["s"],
      isKeyOnly: true,
      isAvailable: menu.isAvailable,
      run: () => (toggle.isAvailable() ? toggle : menu).run(),
    },
    ...Object.entries(NAMES).map(
      ([action, name]): Command => ({
        id: `session-${action}`,
        ...name,
        group: "Session",
        // A single key never throws away the work of a running agent.
        ...command((each, task) => each.action === action && !(action === "retry" && isLive(task))),
      }),
    ),
    {
      id: "next-need",
      title: "Next card that needs you",
      group: "Go to",
      keys: ["n"],
      isAvailable: () => tasksInNeed().length > 0,
      run: () => goToNextNeed(),
    },
    {
      id: "task-menu",
      title: "Card actions…",
      group: "Task",
      keys: ["."],
      ...menu,
    },
  ];
}
