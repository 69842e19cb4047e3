import { CornerDownRight } from "lucide-react";
import { useEffect } from "react";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { Picker } from "../../shared/ui/picker.tsx";
import { useActions } from "../../tasks/available-actions.ts";
import { perform } from "../../tasks/perform.ts";
import { useTasks } from "../../tasks/tasks.ts";
import { toChoice } from "./command-choice.tsx";
import { createCommands } from "./commands.ts";

const OF_A_CARD = ["open", "rename", "move", "pin", "delete"];

/** What can be done with a card, and what each action does. */
export function TaskMenu({ taskId }: { taskId: string }) {
  const { tasks } = useTasks();
  const task = tasks?.find(({ id }) => id === taskId);
  const isGone = tasks !== undefined && task === undefined;
  useEffect(() => {
    if (isGone) closeDialog();
  }, [isGone]);
  return task && <Menu task={task} />;
}

function Menu({ task }: { task: NonNullable<ReturnType<typeof useTasks>["tasks"]>[number] }) {
  const icon = <CornerDownRight size={14} />;
  const choices = [
    ...useActions(task).map(({ action, label, does }) => ({
      id: action,
      label,
      hint: does,
      icon,
      run: () => perform(task, action),
    })),
    ...createCommands(() => task)
      .filter(({ id }) => OF_A_CARD.includes(id))
      .map(toChoice),
  ];
  return <Picker label={task.title} placeholder={task.title} choices={choices} onClose={closeDialog} />;
}
