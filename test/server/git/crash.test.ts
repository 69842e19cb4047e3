import { describe, expect, test } from "bun:test";
import {
  existsSync,
  type FSWatcher,
  mkdirSync,
  readdirSync,
  renameSync,
  watch,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { followMove } from "../../../src/server/git/restore/follow-move.ts";
import { RESTORE_STEPS } from "../../../src/server/git/restore/from-trash.ts";
import { restoreWorktree } from "../../../src/server/git/restore/restore.ts";
import { SNAPSHOT_STEPS, snapshotWorktree } from "../../../src/server/git/snapshots/snapshot.ts";
import { PURGE_STEPS, purge } from "../../../src/server/git/trash/purge.ts";
import { moveToTrash, TRASH_STEPS } from "../../../src/server/git/trash/trash.ts";
import { CREATE_STEPS } from "../../../src/server/git/worktrees/make-worktree.ts";
import { createWorktree } from "../../../src/server/git/worktrees/worktree.ts";
import { gitIn } from "../../support/repository.ts";
import { crashCommand, crashEnvironment, dieAt } from "./support/die-at.ts";
import { filesIn } from "./support/files.ts";
import { messyWorkshop } from "./support/messy.ts";
import { TASK, Workshop } from "./support/workshop.ts";

const MANY = 200;
const everything = async (path: string) => ({
  files: filesIn(path),
  status: await gitIn(path, "status", "--porcelain=v2", "--branch", "-z", "--ignored"),
});

/** As the next start does it. */
async function moveData<T extends { repository: string; path: string; trashPath: string }>(
  { repository, trash }: Workshop,
  input: T,
): Promise<T> {
  const before = dirname(trash);
  const now = repository.beside("moved");
  renameSync(before, now);
  await followMove({ repositories: [repository.path], worktrees: join(now, "worktrees"), before });
  return { ...input, path: input.path.replace(before, now), trashPath: input.trashPath.replace(before, now) };
}

describe("killed at any step", () => {
  for (const step of CREATE_STEPS) {
    test(`making a worktree is made good when it is asked for again (${step})`, async () => {
      using workshop = await Workshop.create();
      const { repository, path, trash } = workshop;
      const isAside = step.startsWith("aside-");
      if (isAside) {
        await workshop.create({ owner: "earlier", branch: "earlier" });
        writeFileSync(join(path, "work"), "precious");
        await gitIn(path, "add", "work");
      }
      const input = workshop.createInput();
      await dieAt(step, "createWorktree", input);
      const created = await createWorktree(input);
      expect(created.branch).toBe("banto/task");
      expect(created.baseCommit).toBe(await repository.git("rev-parse", "main"));
      expect(filesIn(path)).toEqual({ "README.md": "644 first\n" });
      expect(await gitIn(path, "status", "--porcelain", "--branch")).toBe("## banto/task");
      expect(readdirSync(dirname(path))).toEqual([TASK]);
      expect(await repository.git("worktree", "list")).not.toContain("prunable");
      if (!isAside) return;
      const back = await workshop.restore(
        { trashPath: join(trash, input.owner), snapshotRef: null },
        workshop.place("back"),
      );
      expect(back.branch).toBe("earlier");
      expect(await gitIn(back.path, "status", "--porcelain")).toBe("A  work");
    });
  }

  test("a worktree has its files also when the git of the first try comes to its end during the second", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    const input = workshop.createInput();
    await dieAt("intended", "createWorktree", input);
    const checkpoint = (step: string) => {
      if (step === "set-aside")
        Bun.spawnSync(["git", "-C", repository.path, "branch", "--force", "banto/task"]);
    };
    expect((await createWorktree({ ...input, checkpoint })).branch).toBe("banto/task");
    expect(filesIn(path)).toEqual({ "README.md": "644 first\n" });
    expect(await gitIn(path, "status", "--porcelain", "--branch")).toBe("## banto/task");
    expect(readdirSync(dirname(path))).toEqual([TASK]);
  });

  for (const step of [...SNAPSHOT_STEPS, ...TRASH_STEPS]) {
    test(`archiving a worktree is finished when it is asked for again (${step})`, async () => {
      using workshop = await messyWorkshop();
      const { path, repository } = workshop;
      const before = await everything(path);
      const snapshot = { repository: repository.path, path, ref: `refs/banto/${TASK}/1` };
      const trash = { repository: repository.path, path, trashPath: join(workshop.trash, "archived") };
      const isSnapshot = SNAPSHOT_STEPS.some((name) => name === step);
      if (isSnapshot) await dieAt(step, "snapshotWorktree", snapshot);
      else await snapshotWorktree(snapshot);
      if (!isSnapshot) await dieAt(step, "moveToTrash", trash);
      expect((await snapshotWorktree(snapshot)).ref).toBe(snapshot.ref);
      await moveToTrash(trash);
      expect(existsSync(path)).toBe(false);
      expect(readdirSync(dirname(path))).toEqual([]);
      await workshop.restore({ trashPath: trash.trashPath, snapshotRef: snapshot.ref });
      expect(await everything(path)).toEqual(before);
    });
  }

  for (const [step, isMoved] of [
    ...RESTORE_STEPS.map((name) => [name, false] as const),
    ...(["files-moved", "registered"] as const).map((name) => [name, true] as const),
  ]) {
    const where = isMoved ? ", and the data directory moved" : "";
    test(`restoring from the trash is finished when it is asked for again (${step}${where})`, async () => {
      using workshop = await messyWorkshop();
      const before = await everything(workshop.path);
      let input = {
        ...(await workshop.archive()),
        repository: workshop.repository.path,
        path: workshop.path,
        branch: "banto/task",
      };
      await workshop.repository.git("update-ref", "refs/heads/banto/task", "main");
      await dieAt(step, "restoreWorktree", input);
      if (isMoved) input = await moveData(workshop, input);
      const restored = await restoreWorktree(input);
      expect(restored).toEqual({ branch: "banto/task-2", path: input.path, notes: [] });
      expect(await restoreWorktree(input)).toEqual(restored);
      const { files, status } = await everything(input.path);
      expect(files).toEqual(before.files);
      expect(status).toBe(before.status.replace("branch.head banto/task", "branch.head banto/task-2"));
      expect(readdirSync(dirname(input.trashPath))).toEqual([]);
    });
  }

  test("restoring from the trash leaves a worktree alone that somebody made in that place meanwhile", async () => {
    using workshop = await messyWorkshop();
    const { path, repository } = workshop;
    const archived = await workshop.archive();
    const input = { ...archived, repository: repository.path, path, branch: "banto/task" };
    await dieAt("files-moved", "restoreWorktree", input);
    expect((await workshop.create()).branch).toBe("banto/task-2");
    writeFileSync(join(path, "new work"), "new");
    const present = await everything(path);
    await expect(workshop.restore(archived, workshop.place("back"))).rejects.toThrow("There is something at");
    expect(await everything(path)).toEqual(present);
  });

  for (const step of ["intended", "set-aside", "registered", "checked-out", "filled", "finished"]) {
    test(`restoring from a snapshot is finished when it is asked for again (${step})`, async () => {
      using workshop = await messyWorkshop();
      const archived = await workshop.archive();
      await workshop.purge(archived);
      const input = {
        ...archived,
        repository: workshop.repository.path,
        path: workshop.path,
        branch: "banto/task",
      };
      await dieAt(step, "restoreWorktree", input);
      expect((await restoreWorktree(input)).branch).toBe("banto/task");
      const again = await workshop.snapshot();
      const tree = (name: string | null) => workshop.repository.git("rev-parse", `${name}^{tree}`);
      expect(await tree(again.ref)).toBe(await tree(archived.snapshotRef));
      expect(await tree(`${again.ref}^2`)).toBe(await tree(`${archived.snapshotRef}^2`));
      expect(readdirSync(dirname(workshop.path))).toEqual([TASK]);
    });
  }

  for (const step of PURGE_STEPS) {
    test(`purging is finished when it is asked for again, and what is half gone is not restored (${step})`, async () => {
      using workshop = await messyWorkshop();
      const { trashPath, snapshotRef } = await workshop.archive();
      const input = { repository: workshop.repository.path, trashPath };
      await dieAt(step, "purge", input);
      const { notes } = await workshop.restore({ trashPath, snapshotRef });
      expect(notes.join()).toContain("The trash was emptied");
      await purge(input);
      expect(readdirSync(workshop.trash)).toEqual([]);
      expect(readdirSync(join(workshop.repository.path, ".git/banto/trash"))).toEqual([]);
    });
  }

  test("in the middle of a checkout, the next try does not care that git is still at it", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    for (let n = 0; n < MANY; n += 1) writeFileSync(join(repository.path, `file-${n}`), `${n}\n`);
    await repository.git("add", ".");
    await repository.git("commit", "--quiet", "-m", "many");
    mkdirSync(dirname(path), { recursive: true });
    const input = workshop.createInput();
    const child = Bun.spawn(crashCommand("createWorktree", input), {
      env: crashEnvironment,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await filesAppear(path);
    child.kill("SIGKILL");
    await child.exited;
    expect((await createWorktree(input)).branch).toBe("banto/task");
    expect(await gitIn(path, "status", "--porcelain", "--branch")).toBe("## banto/task");
    expect(Object.keys(filesIn(path)).length).toBe(MANY + 1);
  });
});

/** Waits until something is written into a directory that may not be there yet, but whose parent is. */
async function filesAppear(directory: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watchers: FSWatcher[] = [];
  const watchInside = () => {
    if (watchers.length > 1 || !existsSync(directory)) return;
    watchers.push(watch(directory, look));
    look();
  };
  const look = () => readdirSync(directory).some((name) => name !== ".git") && resolve();
  watchers.push(watch(dirname(directory), watchInside));
  watchInside();
  await promise;
  for (const watcher of watchers) watcher.close();
}
