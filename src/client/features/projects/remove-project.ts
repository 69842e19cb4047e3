import { mutate } from "../../shared/api/client.ts";
import { removeProject, restoreProject } from "../../shared/api/projects.ts";
import type { Project } from "../../shared/api/rows.ts";
import { attempt, showToast } from "../../shared/ui/toast.tsx";

/** From the board, with a way to undo it. */
export const removeWithUndo = (project: Project) =>
  attempt(`Couldn't remove ${project.name}`, async (change) => {
    await mutate(() => removeProject(project, change));
    showToast({
      title: `${project.name} removed from the board`,
      detail: "The repository is untouched.",
      action: { label: "Undo", run: () => void undo(project) },
    });
  });

const undo = ({ id, name }: Project) =>
  attempt(`Couldn't restore ${name}`, (change) => mutate(() => restoreProject(id, change)));
