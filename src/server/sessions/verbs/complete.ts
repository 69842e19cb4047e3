import { freeBytes, inUnits, storageFailure } from "../../disk.ts";
import { DomainError } from "../../errors.ts";
import { topOf } from "../../tasks/position.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { requireText } from "../../text.ts";
import { whatTrashFrees } from "../disk-room.ts";
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
  try {
    await operations.run(taskId);
  } catch (error) {
    throw storageFailure(error) === "full" ? await noRoomYet(parts) : error;
  }
  return tasks.get(taskId);
}

/** Space for the operation's own data, and a small snapshot. */
const NEEDED = 1_000_000;

const full = ({ runDir }: VerbParts) =>
  `The disk with banto's data is full (${inUnits(freeBytes(runDir.path))} left)`;

async function noRoom(parts: VerbParts): Promise<DomainError> {
  const needed = `That needs at least ${inUnits(NEEDED)}, and space for uncommitted changes.`;
  const trash = await whatTrashFrees(parts.paths);
  return new DomainError(
    "no_space",
    `${full(parts)}, so the task was not completed. ${needed} ${trash} You can still stop the agent.`,
  );
}

/** The operation is tried again by itself. */
async function noRoomYet(parts: VerbParts): Promise<DomainError> {
  const trash = await whatTrashFrees(parts.paths);
  return new DomainError(
    "no_space",
    `${full(parts)}. The task is completed as soon as there is room. ${trash}`,
  );
}
