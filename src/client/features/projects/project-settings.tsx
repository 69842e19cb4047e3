import { useState } from "react";
import { LIMITS } from "../../../contract.ts";
import { useProjects, useUpdateProject } from "../../shared/api/projects.ts";
import type { Project } from "../../shared/api/rows.ts";
import { showProject, view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { Field, INPUT, TextField } from "../../shared/ui/field.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { Switch } from "../../shared/ui/switch.tsx";
import { optionsByAgent, withOptions } from "../../tasks/agent/project-options.ts";
import { type OptionsByAgent, ProjectAgents } from "./project-agents.tsx";
import { removeWithUndo } from "./remove-project.ts";

export function ProjectSettings({ projectId }: { projectId: string }) {
  const { data: projects = [] } = useProjects();
  const project = projects.find(({ id }) => id === projectId);
  return (
    <Dialog label="Project settings" onClose={closeDialog}>
      {project ? <Settings project={project} /> : <p className="p-5 text-muted">This project is gone.</p>}
    </Dialog>
  );
}

function Settings({ project }: { project: Project }) {
  const update = useUpdateProject(project.id);
  const [agent, setAgent] = useState(project.agent);
  const [options, setOptions] = useState<OptionsByAgent>(() => optionsByAgent(project));
  const [notify, setNotify] = useState(project.notify);

  function save(form: FormData) {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const baseBranch = text("baseBranch");
    update.mutate(
      {
        name: text("name"),
        setupCommand: text("setupCommand") || null,
        worktreeInclude: text("worktreeInclude") || null,
        ...withOptions(agent, options),
        notify,
        ...(baseBranch !== "" && baseBranch !== project.baseBranch && { baseBranch }),
      },
      { onSuccess: closeDialog },
    );
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(new FormData(event.currentTarget));
      }}
    >
      <DialogHeader title={project.name} onClose={closeDialog} />
      <div className="flex max-h-[70dvh] flex-col gap-4 overflow-y-auto px-5 py-4">
        <p className="font-mono text-xs break-all text-faint">{project.path}</p>
        <TextField
          label="Name"
          name="name"
          required
          spellCheck
          autoCapitalize="sentences"
          maxLength={LIMITS.projectName}
          defaultValue={project.name}
          className={INPUT}
        />
        <TextField
          label="Base branch"
          hint="New worktrees start from here."
          name="baseBranch"
          defaultValue={project.baseBranch ?? ""}
          placeholder="no commit yet"
        />
        <TextField
          label="Setup command"
          hint="Runs in the terminal of a new worktree, before the agent."
          name="setupCommand"
          defaultValue={project.setupCommand ?? ""}
          placeholder="npm ci"
        />
        <Field
          label="Ignored files to copy"
          hint="One pattern per line, in addition to the repository's .worktreeinclude."
        >
          {(id) => (
            <textarea
              id={id}
              name="worktreeInclude"
              defaultValue={project.worktreeInclude ?? ""}
              placeholder=".env"
              rows={2}
              spellCheck={false}
              className={`${INPUT} h-auto py-2 font-mono`}
            />
          )}
        </Field>
        <Switch
          label="Notify"
          hint="Its agents may notify you, if notifications or sound are on."
          isOn={notify}
          onChange={setNotify}
        />
        <ProjectAgents agent={agent} options={options} onChoose={setAgent} onChange={setOptions} />
        <p role="alert" className="min-h-5 text-sm text-failed">
          {update.error?.message}
        </p>
      </div>
      <footer className="flex items-center gap-2 border-t border-line px-5 py-3">
        <Button
          look="quiet"
          title="Removes the project and its tasks from the board. The repository is untouched."
          onClick={() => {
            closeDialog();
            if (view.get().projectId === project.id) showProject(null);
            void removeWithUndo(project);
          }}
        >
          Remove from board
        </Button>
        <Button type="submit" look="primary" className="ml-auto" disabled={update.isPending}>
          Save
        </Button>
      </footer>
    </form>
  );
}
