import { useState } from "react";
import { TRASH_DAYS } from "../../../contract.ts";
import type { Project, TrashEntry } from "../../shared/api/rows.ts";
import { fileSize } from "../../shared/file-size.ts";
import { search } from "../../shared/stores/search.ts";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { useDeletedTasks, useTrash } from "../../tasks/session-logs.ts";
import { Audit } from "./audit.tsx";
import { ClockNotice } from "./clock-notice.tsx";
import { DeletedTasks } from "./deleted-tasks.tsx";
import { Entry } from "./entry.tsx";
import { Snapshots } from "./snapshots.tsx";
import { Usage } from "./usage.tsx";

/** Every archived worktree, until it is deleted for good. */
export function History({ projects }: { projects: Project[] }) {
  const { data: entries, error, refetch } = useTrash();
  const projectId = useStore(view, (current) => current.projectId);
  const needle = useStore(search).trim().toLocaleLowerCase();
  const { data: deleted = [] } = useDeletedTasks();
  const cards = deleted.filter(
    (task) =>
      (projectId === null || task.projectId === projectId) &&
      `${task.title}\n${task.description ?? ""}`.toLocaleLowerCase().includes(needle),
  );
  const shown = entries?.filter((entry) => {
    const text = `${entry.title}\n${entry.branch}\n${entry.projectName}`.toLocaleLowerCase();
    return (projectId === null || entry.projectId === projectId) && text.includes(needle);
  });
  // A restored worktree is no longer in the trash. Its row stays, to say where it went.
  const [held, setHeld] = useState<readonly TrashEntry[]>([]);
  const names = new Set(projects.map(({ id }) => id));
  const isThere = ({ logId }: TrashEntry) => shown?.some((entry) => entry.logId === logId);
  const rows = [...held.filter((entry) => !isThere(entry)), ...(shown ?? [])].sort(newestFirst);
  const bytes = rows.reduce((sum, entry) => sum + (entry.bytes ?? 0), 0);

  return (
    <main aria-label="History and trash" className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="mx-auto max-w-4xl px-5 py-6">
        <h1 className="mb-4 text-xl font-semibold">History and trash</h1>
        <ClockNotice />
        <Usage projectId={projectId} />
        {cards.length > 0 && <DeletedTasks tasks={cards} projects={projects} />}
        <h2 id="archived" className="text-sm font-medium">
          Archived worktrees
          {bytes > 0 && <span className="ml-2 font-normal text-faint">{fileSize(bytes)}</span>}
        </h2>
        <p className="mt-0.5 mb-2 max-w-2xl text-sm text-muted">
          Worktrees of tasks that were retried, completed or deleted: whole, with uncommitted and ignored
          files. Each is kept for {TRASH_DAYS} days; branches are never deleted.
        </p>
        {error && !entries ? (
          <Problem message={error.message} onRetry={() => void refetch()} />
        ) : rows.length === 0 ? (
          entries && <Empty isFiltered={entries.length > 0} />
        ) : (
          <ul
            aria-labelledby="archived"
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
        <Snapshots projectId={projectId} />
        <Audit projectId={projectId} projects={projects} />
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
