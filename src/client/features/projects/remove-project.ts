import { mutate } from "../../shared/api/client.ts";
import { removeProject, restoreProject } from "../../shared/api/projects.ts";
import type { Project } from "../../shared/api/rows.ts";
import { attempt, showUndoable } from "../../shared/ui/toast.tsx";

/** Removes a project from the board, and offers to undo it. */
export const removeWithUndo = (project: Project) =>
  attempt(`Couldn't remove ${project.name}`, async (change) => {
    await mutate(() => removeProject(project, change));
    showUndoable(
      { title: `${project.name} removed from the board`, detail: "The repository is untouched." },
      () => void undo(project),
    );
  });

const undo = ({ id, name }: Project) =>
  attempt(`Couldn't restore ${name}`, (change) => mutate(() => restoreProject(id, change)));
