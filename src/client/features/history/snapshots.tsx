import { useState } from "react";
import type { Snapshot } from "../../shared/api/rows.ts";
import { useSnapshots } from "../../shared/api/snapshots.ts";
import { fileSize } from "../../shared/file-size.ts";
import { Button } from "../../shared/ui/button.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { Ago, OnDay } from "../../shared/ui/time.tsx";
import { freeSpaceIn } from "./free-space.ts";

/** Snapshots in the projects' repositories, and the disk they take. */
export function Snapshots({ projectId }: { projectId: string | null }) {
  const { data = [] } = useSnapshots();
  const shown = data.filter((one) => projectId === null || one.projectId === projectId);
  if (shown.length === 0) return null;
  const bytes = shown.reduce((sum, one) => sum + (one.bytes ?? 0), 0);
  return (
    <details className="mt-6">
      <summary className="text-sm font-medium touch:py-3.5">
        Snapshots <span className="font-normal text-faint">{shown.length}</span>
        {bytes > 0 && <span className="ml-2 font-normal text-faint">{fileSize(bytes)}</span>}
      </summary>
      <div className="mt-0.5 mb-2 flex items-end justify-between gap-x-6 gap-y-1 narrow:flex-col narrow:items-stretch">
        <p className="max-w-2xl text-sm text-muted">
          When banto archives a worktree, it keeps all of its files as a commit in your repository, on no
          branch. From there it can be restored after it has left the trash. When you delete a snapshot, git
          frees its space within a few weeks.
        </p>
        <FreeSpace snapshots={shown} />
      </div>
      <ul aria-label="Snapshots" className="divide-y divide-line rounded-ui border border-line bg-card">
        {shown.map((one) => (
          <li
            key={one.ref}
            className="flex items-center gap-3 px-4 py-2 narrow:flex-col narrow:items-stretch"
          >
            <Line snapshot={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What has expired, or was deleted earlier, takes space until git tidies up. */
function FreeSpace({ snapshots }: { snapshots: Snapshot[] }) {
  const [isBusy, setBusy] = useState(false);
  const projects = [...new Map(snapshots.map((one) => [one.projectId, one])).values()];
  const free = async () => {
    setBusy(true);
    for (const project of projects) await freeSpaceIn(project);
    setBusy(false);
  };
  return (
    <Button disabled={isBusy} onClick={() => void free()}>
      {isBusy ? "Freeing space…" : "Free space now"}
    </Button>
  );
}

const KEPT = {
  newest: "kept: the task's newest",
  partial: "kept with its worktree: incomplete",
  in_trash: "kept while its worktree is in the trash",
  in_use: "in use",
  only_copy: "kept: has commits that no branch has",
} as const;

function Line({ snapshot }: { snapshot: Snapshot }) {
  const { title, projectName, takenAt, expiresAt, bytes, ref, isPartial } = snapshot;
  const kept = isPartial ? "partial" : snapshot.kept;
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm" title={ref}>
          {title}
        </p>
        <p className="flex flex-wrap gap-x-1.5 text-xs text-faint">
          <span>{projectName}</span>
          <span aria-hidden>·</span>
          <Ago at={takenAt} />
          {bytes !== null && (
            <>
              <span aria-hidden>·</span>
              <span>{fileSize(bytes)}</span>
            </>
          )}
          <span aria-hidden>·</span>
          <span className="text-muted">
            {kept !== null ? (
              KEPT[kept]
            ) : expiresAt === null ? (
              "kept"
            ) : (
              <>
                until <OnDay at={expiresAt} />
              </>
            )}
          </span>
        </p>
      </div>
      <Button look="quiet" onClick={() => openDialog({ kind: "remove-snapshot", snapshot })}>
        Delete…
      </Button>
    </>
  );
}
