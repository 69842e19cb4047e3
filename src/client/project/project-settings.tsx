import { type ReactNode, useId } from "react";
import { type Project, useProjects, useRemoveProject, useUpdateProject } from "../api/projects.ts";
import { closeDialog } from "../commands/dialogs.ts";
import { showProject, view } from "../state/view.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogHeader } from "../ui/dialog.tsx";

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
  const remove = useRemoveProject();

  function save(form: FormData) {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const baseBranch = text("baseBranch");
    update.mutate(
      {
        name: text("name"),
        setupCommand: text("setupCommand") || null,
        worktreeInclude: text("worktreeInclude") || null,
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
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              name="name"
              required
              maxLength={100}
              defaultValue={project.name}
              className={INPUT}
            />
          )}
        </Field>
        <Field label="Base branch" hint="New worktrees start from here.">
          {(id) => (
            <input
              id={id}
              name="baseBranch"
              defaultValue={project.baseBranch ?? ""}
              placeholder="no commit yet"
              spellCheck={false}
              className={`${INPUT} font-mono`}
            />
          )}
        </Field>
        <Field label="Setup command" hint="Runs in the terminal of a new worktree, before the agent.">
          {(id) => (
            <input
              id={id}
              name="setupCommand"
              defaultValue={project.setupCommand ?? ""}
              placeholder="npm ci"
              spellCheck={false}
              className={`${INPUT} font-mono`}
            />
          )}
        </Field>
        <Field
          label="Ignored files to copy"
          hint="One pattern per line, besides the repository's .worktreeinclude."
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
        <p role="alert" className="min-h-5 text-sm text-failed">
          {update.error?.message}
        </p>
      </div>
      <footer className="flex items-center gap-2 border-t border-line px-5 py-3">
        <Button
          look="quiet"
          title="Takes the project and its tasks off the board. The repository is untouched."
          onClick={() => {
            closeDialog();
            if (view.get().projectId === project.id) showProject(null);
            remove(project);
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

const INPUT =
  "h-9 w-full rounded-md border border-line-strong bg-card px-3 text-sm outline-none focus:border-accent touch:min-h-11 touch:text-lg";

function Field({ label, hint, children }: { label: string; hint?: string; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id)}
      {hint && <p className="text-xs text-faint">{hint}</p>}
    </div>
  );
}
