import type { TrashEntry } from "../../shared/api/rows.ts";
import { OnDay } from "../../shared/ui/time.tsx";

/** Why nothing but a person deletes it. */
const KEPT: Record<NonNullable<TrashEntry["kept"]>, string> = {
  aside: "the only copy of what was there",
  no_snapshot: "it has no snapshot",
  partial: "its snapshot is incomplete",
  snapshot_gone: "its snapshot is gone",
  snapshot_damaged: "its snapshot is damaged",
};

/** How long a worktree stays in the trash, after "kept" or the like. */
export function Until({ purgesAt, kept }: Pick<TrashEntry, "purgesAt" | "kept">) {
  if (purgesAt === null) return `until you delete it${kept === null ? "" : `: ${KEPT[kept]}`}`;
  return (
    <>
      until <OnDay at={purgesAt} />
    </>
  );
}
