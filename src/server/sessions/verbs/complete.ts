import { readdir } from "node:fs/promises";
import { freeBytes, inUnits, storageFailure } from "../../disk.ts";
import { DomainError } from "../../errors.ts";
import { diskUse } from "../../git/disk/disk-use.ts";
import { topOf } from "../../tasks/position.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { requireText } from "../../text.ts";
import { archiveDetail, completedFrom } from "../operations/archive.ts";
import { requireWorktreeThere } from "../worktree-there.ts";
import type { VerbParts } from "./parts.ts";

/** With a `commit` message, uncommitted changes are committed before the worktree is archived. */
export async function completeTask(parts: VerbParts, taskId: string, commit?: string): Promise<TaskRow> {
  const message = commit === undefined ? undefined : requireText("commit", commit);
  const { rows, tasks, operations, checkpoint } = parts;
  const accept = () =>
    rows.accept(tasks.get(taskId).id, { type: "complete" }, (row, tx) => {
      parts.unknown.requireNone(taskId);
      requireWorktreeThere(row);
      const hasNothing = row.sessionStatus === null && row.worktreePath === null;
      const moves = hasNothing && row.status !== "done";
      return {
        ...(moves && { columns: { position: topOf(tx, "done"), completedFrom: completedFrom(row) } }),
        detail: { ...archiveDetail("complete", message) },
      };
    });
  try {
    await operations.whenFree(taskId, accept);
  } catch (error) {
    throw storageFailure(error) === "full" ? await noRoom(parts) : error;
  }
  checkpoint("complete:accepted");
  await operations.run(taskId);
  return tasks.get(taskId);
}

/** Space for the operation's own data, and a small snapshot. */
const NEEDED = 1_000_000;

async function noRoom({ paths, runDir }: VerbParts): Promise<DomainError> {
  const kept = await readdir(paths.trashFolder).catch(() => []);
  const size = inUnits(await diskUse(paths.trashFolder));
  const archived = `${kept.length} archived ${kept.length === 1 ? "worktree" : "worktrees"}`;
  const trash =
    kept.length === 0 ? "The trash is empty." : `The trash has ${archived}; emptying it would free ${size}.`;
  return new DomainError(
    "no_space",
    `The disk with banto's data is full (${inUnits(freeBytes(runDir.path))} left), so the task was not completed. That needs at least ${inUnits(NEEDED)}, and space for uncommitted changes. ${trash} You can still stop the agent.`,
  );
}
