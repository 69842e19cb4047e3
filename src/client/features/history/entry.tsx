import type { TrashEntry } from "../../shared/api/rows.ts";
import { fileSize } from "../../shared/file-size.ts";
import { openTab } from "../../shared/stores/tabs.ts";
import { Button } from "../../shared/ui/button.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { Ago } from "../../shared/ui/time.tsx";
import { Until } from "./kept-until.tsx";
import { RestoredTo } from "./restored-to.tsx";
import { useRestore } from "./use-restore.ts";

const REASONS: Record<string, string> = {
  retry: "archived by a retry",
  complete: "archived on completion",
  delete: "archived with its task",
  aside: "was in the way of a new worktree",
};

interface EntryProps {
  entry: TrashEntry;
  isProjectGone: boolean;
  onRestore(): void;
}

/** One worktree in the trash. */
export function Entry({ entry, isProjectGone, onRestore }: EntryProps) {
  const { restore, isPending, place } = useRestore();
  const { title, projectName, branch, archivedAt, archivedFor, purgesAt, kept, bytes, taskId, logId } = entry;
  const isTaskGone = entry.taskDeletedAt !== null;
  const isBack = place !== undefined;

  return (
    <article aria-label={title}>
      <div className="flex items-center gap-3 px-4 py-3 narrow:flex-col narrow:items-stretch">
        <div className="min-w-0 flex-1">
          {isTaskGone || isProjectGone ? (
            <p className="truncate font-medium">{title}</p>
          ) : (
            <button
              type="button"
              onClick={() => openTab(taskId, "history")}
              className="block max-w-full truncate text-left font-medium hover:underline touch:-my-3 touch:py-3"
            >
              {title}
            </button>
          )}
          <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-faint">
            <span>{projectName}</span>
            <span aria-hidden>·</span>
            <span>{REASONS[archivedFor ?? ""] ?? "archived"}</span>
            {archivedAt && (
              <>
                <span aria-hidden>·</span>
                <Ago at={archivedAt} />
              </>
            )}
            {bytes !== null && (
              <>
                <span aria-hidden>·</span>
                <span>{fileSize(bytes)}</span>
              </>
            )}
            <span aria-hidden>·</span>
            <span className="text-muted">
              {isBack ? (
                "restored"
              ) : (
                <>
                  kept <Until purgesAt={purgesAt} kept={kept} />
                </>
              )}
            </span>
          </p>
          {branch && <MiddleCut text={branch} className="max-w-full font-mono text-xs text-muted" />}
        </div>
        {!isBack && (
          <div className="flex gap-2">
            <Button
              disabled={isPending}
              title={whatReturns(isTaskGone, isProjectGone)}
              onClick={() => {
                onRestore();
                void restore({
                  taskId,
                  logId,
                  isTaskGone,
                  ...(isProjectGone && { goneProjectId: entry.projectId }),
                });
              }}
            >
              {isPending
                ? "Restoring…"
                : isProjectGone
                  ? "Restore with project"
                  : isTaskGone
                    ? "Restore with task"
                    : "Restore"}
            </Button>
            <Button look="quiet" disabled={isPending} onClick={() => openDialog({ kind: "purge", entry })}>
              Delete permanently…
            </Button>
          </div>
        )}
      </div>
      {place && <RestoredTo {...place} />}
    </article>
  );
}

function whatReturns(isTaskGone: boolean, isProjectGone: boolean): string {
  const what = isProjectGone ? "the project, its tasks and" : isTaskGone ? "the task and" : "";
  return `Restores ${what} the worktree with every file that was in it.`.replace("  ", " ");
}
