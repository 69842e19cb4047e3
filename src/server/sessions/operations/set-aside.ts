// What was in the way of a new worktree is in the trash without anybody having archived it. Here it
// gets a row like everything else there: it is listed, can be brought back, and goes after 30 days.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { eq, isNotNull } from "drizzle-orm";
import type { Store } from "../../../db/open.ts";
import { sessionLogs, tasks } from "../../../db/schema.ts";
import { listIfThere } from "../../git/disk/if-there.ts";
import { readTrash, type TrashRecord, trashedFiles } from "../../git/trash/trash.ts";
import { newId } from "../../ids.ts";
import type { SessionPaths } from "../paths.ts";

export const SET_ASIDE = "aside";

export async function recordSetAside({ store, paths }: { store: Store; paths: SessionPaths }): Promise<void> {
  const rows = store.db
    .select({ trash: sessionLogs.trash })
    .from(sessionLogs)
    .where(isNotNull(sessionLogs.trash));
  const known = new Set(rows.all().map(({ trash }) => trash));
  for (const name of await listIfThere(paths.trashFolder)) {
    if (known.has(name)) continue;
    const folder = paths.trash(name);
    const record = await readTrash(folder);
    if (record?.isWhole && existsSync(trashedFiles(folder))) write(store, name, record);
  }
}

function write(store: Store, trash: string, { path, movedAt, administrations }: TrashRecord) {
  // `<task>`, or `<task>-…` where a worktree had come back beside it.
  const taskId = basename(path).split("-", 1)[0] ?? "";
  store.write((tx) => {
    const task = tx.select().from(tasks).where(eq(tasks.id, taskId)).get();
    // While something is under way it may be what is just being archived, and will be written down by that.
    if (task === undefined || task.sessionOperation !== null) return;
    if (tx.select().from(sessionLogs).where(eq(sessionLogs.trash, trash)).get() !== undefined) return;
    const branch = administrations.find(({ below }) => below === "")?.branch ?? null;
    tx.insert(sessionLogs)
      .values({
        id: newId(),
        taskId,
        startedAt: movedAt,
        endedAt: movedAt,
        exitStatus: "done",
        branch,
        archivedAt: movedAt,
        archivedFor: SET_ASIDE,
        trash,
      })
      .run();
  });
}
