import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RestoredWorktree } from "../../../../src/server/git/restore/request.ts";
import { restoreWorktree } from "../../../../src/server/git/restore/restore.ts";
import { type Snapshot, snapshotWorktree } from "../../../../src/server/git/snapshots/snapshot.ts";
import { purge } from "../../../../src/server/git/trash/purge.ts";
import { moveToTrash } from "../../../../src/server/git/trash/trash.ts";
import type { CreatedWorktree } from "../../../../src/server/git/worktrees/record.ts";
import { type CreateWorktree, createWorktree } from "../../../../src/server/git/worktrees/worktree.ts";
import { newId } from "../../../../src/server/ids.ts";
import { TestRepository } from "../../../support/repository.ts";

export const TASK = "t4sk0000t4sk0000";

/** A repository and the folders that banto keeps for its worktrees. */
export class Workshop implements Disposable {
  readonly trash: string;
  readonly path: string;

  private constructor(
    readonly repository: TestRepository,
    private readonly data: string,
  ) {
    mkdirSync(data);
    this.trash = join(data, "trash");
    this.path = join(data, "worktrees", TASK);
  }

  static async create(): Promise<Workshop> {
    return Workshop.around(await TestRepository.create());
  }

  static around(repository: TestRepository): Workshop {
    return new Workshop(repository, repository.beside("data"));
  }

  /** Another place in the same folder. */
  place(name: string): string {
    return join(this.data, "worktrees", name);
  }

  createInput(extra: Partial<CreateWorktree> = {}): CreateWorktree {
    return {
      repository: this.repository.path,
      path: this.path,
      branch: "banto/task",
      base: "main",
      include: null,
      owner: newId(),
      trash: this.trash,
      ...extra,
    };
  }

  create(extra: Partial<CreateWorktree> = {}): Promise<CreatedWorktree> {
    return createWorktree(this.createInput(extra));
  }

  async snapshot(path = this.path): Promise<Snapshot> {
    const { path: repository } = this.repository;
    return snapshotWorktree({ repository, path, ref: await this.nextRef() });
  }

  async nextRef(): Promise<string> {
    const refs = await this.repository.git("for-each-ref", "--format=%(refname)", `refs/banto/${TASK}/`);
    const numbers = refs.split("\n").map((ref) => Number(ref.split("/").at(-1)));
    return `refs/banto/${TASK}/${Math.max(...numbers) + 1}`;
  }

  /** What retry, complete and delete do. */
  async archive(): Promise<{ trashPath: string; snapshotRef: string | null; notes: string[] }> {
    const { ref, notes } = await this.snapshot();
    const trashPath = join(this.trash, newId());
    await moveToTrash({ repository: this.repository.path, path: this.path, trashPath });
    return { trashPath, snapshotRef: ref, notes };
  }

  restore(
    from: { trashPath: string; snapshotRef: string | null },
    path = this.path,
    checkpoint?: (step: string) => void,
  ): Promise<RestoredWorktree> {
    const { path: repository } = this.repository;
    return restoreWorktree({ ...from, repository, path, branch: "banto/task", checkpoint });
  }

  purge(from: { trashPath: string }, snapshotRef?: string): Promise<void> {
    const snapshotRefs = snapshotRef === undefined ? [] : [snapshotRef];
    return purge({ repository: this.repository.path, trashPath: from.trashPath, snapshotRefs });
  }

  [Symbol.dispose]() {
    this.repository[Symbol.dispose]();
  }
}
