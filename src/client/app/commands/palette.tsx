import { Folder, SquareKanban } from "lucide-react";
import { useState } from "react";
import { useProjects } from "../../shared/api/projects.ts";
import { openTask, showProject } from "../../shared/stores/view.ts";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { type Choice, Picker } from "../../shared/ui/picker.tsx";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { useTasks } from "../../tasks/tasks.ts";
import { toChoice } from "./command-choice.tsx";
import { createCommands } from "./commands.ts";
import { currentTask, taskToActOn } from "./current-task.ts";

/** Every command, project and task, by typing. */
export function Palette() {
  const { tasks = [] } = useTasks();
  const { data: projects = [] } = useProjects();
  // Decided before the palette takes the keyboard, so that commands act on the task they were shown for.
  const [taskId] = useState(() => currentTask()?.id ?? null);
  const commands = createCommands(() => taskToActOn(taskId));
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const choices: Choice[] = [
    ...commands
      .filter(({ isKeyOnly, isAvailable }) => !isKeyOnly && (isAvailable?.() ?? true))
      .map((command) => ({ ...toChoice(command), group: command.group, ...withHint(command.hint?.()) })),
    ...projects.map(({ id, name, path }) => ({
      id: `project:${id}`,
      label: name,
      detail: path,
      group: "Projects",
      icon: <Folder size={14} />,
      run: () => showProject(id),
    })),
    ...tasks
      .filter((task) => names.has(task.projectId))
      .map((task) => ({
        id: `task:${task.id}`,
        label: task.title,
        detail: `${names.get(task.projectId)} · ${COLUMN_NAMES[task.status]}`,
        group: "Tasks",
        icon: <SquareKanban size={14} />,
        run: () => openTask(task.id),
      })),
  ];
  return (
    <Picker
      label="Command palette"
      placeholder="Do something, or find a task…"
      choices={choices}
      onClose={closeDialog}
    />
  );
}

const withHint = (hint: string | undefined) => hint !== undefined && { hint };
