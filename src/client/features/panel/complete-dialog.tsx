import { useState } from "react";
import { LIMITS, TRASH_DAYS } from "../../../contract.ts";
import type { Task, Work } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { Field, INPUT } from "../../shared/ui/field.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { complete } from "../../tasks/changes.ts";
import { isLive } from "../../tasks/display-status.ts";
import { branchHolds, workWords } from "../../tasks/work.ts";

/** Asks before work that isn't on the branch goes to the trash. */
export function CompleteDialog({ task, found }: { task: Task; found: Work | Error }) {
  const [message, setMessage] = useState(task.title);
  const work = found instanceof Error ? undefined : found;
  const canCommit = work !== undefined && work.branch !== null;

  function finish(commit?: string) {
    closeDialog();
    complete(task, work, commit);
  }

  return (
    <Dialog label="Complete the task" onClose={closeDialog}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (message.trim() !== "") finish(message);
        }}
      >
        <DialogHeader title={`Complete “${task.title}”?`} onClose={closeDialog} />
        <div className="flex flex-col gap-2 px-5 pb-4 text-sm text-muted">
          {found instanceof Error ? (
            <p className="break-words">Couldn't check the worktree: {found.message}</p>
          ) : (
            <>
              <p className="font-medium text-text">{workWords(found)}</p>
              <p className="wrap-anywhere">{branchHolds(found)}</p>
            </>
          )}
          <p>
            {isLive(task) && "The agent is stopped first. "}
            {canCommit ? "Without a commit, the changes go" : "The worktree goes"} to the trash for{" "}
            {TRASH_DAYS} days.
          </p>
          {canCommit && (
            <Field label="Commit message">
              {(id) => (
                <input
                  id={id}
                  value={message}
                  maxLength={LIMITS.title}
                  onFocus={(event) => event.target.select()}
                  onChange={(event) => setMessage(event.target.value)}
                  className={INPUT}
                />
              )}
            </Field>
          )}
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3 max-sm:flex-col-reverse">
          <Button onClick={closeDialog}>Cancel</Button>
          <Button onClick={() => finish()}>
            {canCommit ? "Complete without committing" : "Complete anyway"}
          </Button>
          {canCommit && (
            <Button type="submit" look="primary" disabled={message.trim() === ""}>
              Commit and complete
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
