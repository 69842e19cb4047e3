import { FolderPlus, Layers, Settings2 } from "lucide-react";
import { useProjects } from "../../shared/api/projects.ts";
import { useStore } from "../../shared/stores/store.ts";
import { showProject, view } from "../../shared/stores/view.ts";
import { closeDialog, openDialog } from "../../shared/ui/open-dialog.ts";
import { Picker } from "../../shared/ui/picker.tsx";

export function ProjectMenu() {
  const { data: projects = [] } = useProjects();
  const shownId = useStore(view, ({ projectId }) => projectId);
  const shown = projects.find(({ id }) => id === shownId);
  const choices = [
    {
      id: "all",
      label: "All projects",
      icon: <Layers size={14} />,
      isCurrent: shownId === null,
      run: () => showProject(null),
    },
    ...projects.map(({ id, name, path }) => ({
      id,
      label: name,
      detail: path,
      isCurrent: id === shownId,
      run: () => showProject(id),
    })),
    {
      id: "add",
      label: "Add a project…",
      icon: <FolderPlus size={14} />,
      run: () => openDialog({ kind: "add-project" }),
    },
    ...(shown ? [shown] : projects).map(({ id, name }) => ({
      id: `settings:${id}`,
      label: `${name} settings…`,
      icon: <Settings2 size={14} />,
      run: () => openDialog({ kind: "project-settings", projectId: id }),
    })),
  ];
  return <Picker label="Projects" placeholder="Show a project…" choices={choices} onClose={closeDialog} />;
}
