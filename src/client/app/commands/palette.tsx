import { Folder, Settings2, SquareKanban } from "lucide-react";
import { useState } from "react";
import { useProjects } from "../../shared/api/projects.ts";
import type { Task } from "../../shared/api/rows.ts";
import { noteUsed, recentIds, recentProject, recentTask } from "../../shared/stores/recent.ts";
import { openTask, showProject, view } from "../../shared/stores/view.ts";
import { closeDialog, openDialog } from "../../shared/ui/open-dialog.ts";
import { type Choice, Picker } from "../../shared/ui/picker.tsx";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { useTasks } from "../../tasks/tasks.ts";
import { toChoice } from "./command-choice.tsx";
import { createCommands } from "./commands.ts";
import { currentTask, taskToActOn } from "./current-task.ts";

/** Finds any command, project or task by typing. */
export function Palette() {
  const { tasks = [] } = useTasks();
  const { data: projects = [] } = useProjects();
  // Found before the palette takes the focus, so that commands act on the task they were shown for.
  const [taskId] = useState(() => currentTask()?.id ?? null);
  const commands = createCommands(() => taskToActOn(taskId));
  const [recent] = useState(recentIds);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const found = tasks.filter(({ projectId }) => names.has(projectId)).sort(lastChangedFirst);
  const used = recent
    .flatMap((id) => found.filter((task) => recentTask(task.id) === id && task.id !== view.get().taskId))
    .slice(0, MOST_RECENT);
  const toCard = (group: string) => (task: Task) => ({
    id: recentTask(task.id),
    label: task.title,
    words: task.branch ?? "",
    detail: `${names.get(task.projectId)} · ${COLUMN_NAMES[task.status]}`,
    group,
    icon: <SquareKanban size={14} />,
    run: () => openTask(task.id),
  });
  const choices: Choice[] = [
    ...used.map(toCard("Recent")),
    ...commands
      .filter(({ isKeyOnly, isAvailable }) => !isKeyOnly && (isAvailable?.() ?? true))
      .map((command) => ({ ...toChoice(command), group: command.group, ...withHint(command.hint?.()) })),
    ...projects.map(({ id, name, path }) => ({
      id: recentProject(id),
      label: name,
      detail: path,
      group: "Projects",
      icon: <Folder size={14} />,
      run: () => showProject(id),
    })),
    ...projects.map(({ id, name }) => ({
      id: `settings:${id}`,
      label: `${name} settings…`,
      group: "Projects",
      words: "project base branch setup command ignored files agent model permissions",
      icon: <Settings2 size={14} />,
      run: () => openDialog({ kind: "project-settings", projectId: id }),
    })),
    ...found.filter((task) => !used.includes(task)).map(toCard("Tasks")),
  ];
  return (
    <Picker
      label="Command palette"
      placeholder="Do something, or find a task…"
      choices={choices}
      recent={recent}
      onChoose={({ id }) => noteUsed(id)}
      onClose={closeDialog}
    />
  );
}

const MOST_RECENT = 5;

const lastChangedFirst = (a: Task, b: Task) => (a.updatedAt < b.updatedAt ? 1 : -1);

const withHint = (hint: string | undefined) => hint !== undefined && { hint };
