// What was in the way of a new worktree is in the trash although nobody archived it. This adds a row for it, so that it
// is listed and can be restored like everything else there.

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
  // `<task>`, or `<task>-…` for one that was restored beside the task's own.
  const taskId = basename(path).split("-", 1)[0] ?? "";
  store.write((tx) => {
    const task = tx.select().from(tasks).where(eq(tasks.id, taskId)).get();
    // During an operation, this may be what is being archived, which will record it.
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
