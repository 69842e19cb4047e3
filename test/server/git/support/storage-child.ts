// Runs in a mount namespace of its own, where it can have a small disk and a read-only one. Prints what it was told.

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { snapshotWorktree } from "../../../../src/server/git/snapshots/snapshot.ts";
import { moveToTrash } from "../../../../src/server/git/trash/trash.ts";
import { createWorktree } from "../../../../src/server/git/worktrees/worktree.ts";

const [disk = "", repository = ""] = process.argv.slice(2);
const path = join(disk, "worktrees/task");
const mount = (...args: string[]) => {
  if (Bun.spawnSync(["mount", ...args]).exitCode !== 0) throw new Error(`mount ${args.join(" ")}`);
};
const said: Record<string, string> = {};
const ask = async (what: string, act: () => Promise<unknown>) => {
  said[what] = await act().then(
    (value) => JSON.stringify(value) ?? "done",
    (cause: Error) => cause.message,
  );
};
const create = (branch: string, place = path) =>
  createWorktree({
    repository,
    path: place,
    branch,
    base: branch,
    include: null,
    owner: branch,
    trash: join(disk, "trash"),
  });

mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", disk);
await ask("full", () => create("big"));
said.left = readdirSync(join(disk, "worktrees")).join();
await ask("small", () => create("small"));
mkdirSync(join(disk, "trash"), { recursive: true });
mount("-t", "tmpfs", "tmpfs", join(disk, "trash"));
await ask("elsewhere", () => moveToTrash({ repository, path, trashPath: join(disk, "trash/a") }));
Bun.spawnSync(["umount", join(disk, "trash")]);
mount("-o", "remount,bind,ro", disk);
await ask("readOnly", () => create("small", join(disk, "worktrees/other")));
await ask("readOnlySnapshot", () => snapshotWorktree({ repository, path, ref: "refs/banto/t/1" }));
await ask("readOnlyTrash", () => moveToTrash({ repository, path, trashPath: join(disk, "trash/a") }));
said.kept = String(existsSync(join(path, "README.md")));
process.stdout.write(JSON.stringify(said));
