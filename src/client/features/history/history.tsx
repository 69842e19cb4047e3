import { useState } from "react";
import { TRASH_DAYS } from "../../../contract.ts";
import type { Project, TrashEntry } from "../../shared/api/rows.ts";
import { search } from "../../shared/stores/search.ts";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { useTrash } from "../../tasks/session-logs.ts";
import { Entry } from "./entry.tsx";
import { Usage } from "./usage.tsx";

/** Every archived worktree, until it is deleted for good. */
export function History({ projects }: { projects: Project[] }) {
  const { data: entries, error, refetch } = useTrash();
  const projectId = useStore(view, (current) => current.projectId);
  const needle = useStore(search).trim().toLocaleLowerCase();
  const shown = entries?.filter((entry) => {
    const text = `${entry.title}\n${entry.branch}\n${entry.projectName}`.toLocaleLowerCase();
    return (projectId === null || entry.projectId === projectId) && text.includes(needle);
  });
  // A restored worktree leaves the trash. Its row stays, to say where it is now.
  const [held, setHeld] = useState<readonly TrashEntry[]>([]);
  const names = new Set(projects.map(({ id }) => id));
  const isThere = ({ logId }: TrashEntry) => shown?.some((entry) => entry.logId === logId);
  const rows = [...held.filter((entry) => !isThere(entry)), ...(shown ?? [])].sort(newestFirst);

  return (
    <main aria-label="History and trash" className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="mx-auto max-w-4xl px-5 py-6">
        <h1 className="mb-4 text-xl font-semibold">History and trash</h1>
        <Usage projectId={projectId} />
        <p className="mb-5 max-w-2xl text-sm text-muted">
          Worktrees of tasks that were retried, completed or deleted: whole, with uncommitted and ignored
          files. Each is kept for {TRASH_DAYS} days; branches are never deleted.
        </p>
        {error && !entries ? (
          <Problem message={error.message} onRetry={() => void refetch()} />
        ) : rows.length === 0 ? (
          entries && <Empty isFiltered={entries.length > 0} />
        ) : (
          <ul
            aria-label="Archived worktrees"
            className="divide-y divide-line rounded-ui border border-line bg-card"
          >
            {rows.map((entry) => (
              <li key={entry.logId}>
                <Entry
                  entry={entry}
                  isProjectGone={!names.has(entry.projectId)}
                  onRestore={() =>
                    setHeld((before) => [...before.filter((one) => one.logId !== entry.logId), entry])
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </main>
  );
}

const newestFirst = (a: TrashEntry, b: TrashEntry) => ((a.archivedAt ?? "") < (b.archivedAt ?? "") ? 1 : -1);

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <p className="rounded-ui border border-dashed border-line px-4 py-10 text-center text-sm text-muted">
      {isFiltered
        ? "Nothing in the trash matches."
        : "The trash is empty. When a task is retried, completed or deleted, its worktree is kept here."}
    </p>
  );
}

function Problem({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <div role="alert" className="flex items-center gap-3 text-sm text-failed">
      <p>The trash could not be read: {message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
