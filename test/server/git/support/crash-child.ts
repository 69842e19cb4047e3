// Runs one operation and kills itself, hard, at a given step.

import { restoreWorktree } from "../../../../src/server/git/restore/restore.ts";
import { snapshotWorktree } from "../../../../src/server/git/snapshots/snapshot.ts";
import { purge } from "../../../../src/server/git/trash/purge.ts";
import { moveToTrash } from "../../../../src/server/git/trash/trash.ts";
import { createWorktree } from "../../../../src/server/git/worktrees/worktree.ts";

const OPERATIONS = { createWorktree, snapshotWorktree, moveToTrash, purge, restoreWorktree };

const [operation = "", input = "{}", fatal] = process.argv.slice(2);
const run = OPERATIONS[operation as keyof typeof OPERATIONS] as (input: object) => Promise<unknown>;
const checkpoint = (step: string) => {
  if (step === fatal) process.kill(process.pid, "SIGKILL");
};
await run({ ...JSON.parse(input), checkpoint });
