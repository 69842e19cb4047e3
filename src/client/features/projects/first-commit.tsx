import { mutate } from "../../shared/api/client.ts";
import { makeFirstCommit, useProjects } from "../../shared/api/projects.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { attempt, showToast } from "../../shared/ui/toast.tsx";

/** Offers to make the first commit in a repository that has none, because agents need one. */
export function FirstCommit({ projectId }: { projectId: string }) {
  const { data: projects = [] } = useProjects();
  const project = projects.find(({ id }) => id === projectId);

  function make() {
    closeDialog();
    void attempt("Couldn't make the first commit", async (change) => {
      await mutate(() => makeFirstCommit(projectId, change));
      showToast({ title: "First commit made", detail: "Agents can start from it now." });
    });
  }

  return (
    <Dialog label="Make the first commit" onClose={closeDialog}>
      <DialogHeader title={`${project?.name ?? "The repository"} has no commit yet`} onClose={closeDialog} />
      <div className="flex flex-col gap-2 px-5 pb-4 text-sm text-muted">
        <p>An agent works on a branch of its own, which needs a commit to start from.</p>
        <p>
          banto can make an empty one. It won't include files that are already there: if agents should see
          them, commit them yourself instead.
        </p>
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={closeDialog}>I'll do it myself</Button>
        <Button look="primary" onClick={make}>
          Make an empty commit
        </Button>
      </footer>
    </Dialog>
  );
}
