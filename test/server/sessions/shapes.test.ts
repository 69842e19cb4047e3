// Whatever shape a repository has, its worktree comes back byte for byte.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { ProjectRow } from "../../../src/server/projects/projects.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { ageArchives } from "../../support/database.ts";
import { DEPTH } from "../../support/depth.ts";
import { gitIn, TestRepository } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { SHAPES, type Shape } from "../../support/shapes.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
let library: TestRepository;
beforeAll(async () => {
  board = await SessionBoard.startHere();
  library = await TestRepository.create("library");
});
afterAll(async () => {
  await board[Symbol.asyncDispose]();
  library[Symbol.dispose]();
});

/** Every file by its bytes and mode, by the bytes of its name; git's own folders are asked about instead. */
function files(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: Buffer, below: string) => {
    for (const entry of readdirSync(folder, { encoding: "buffer" })) {
      if (entry.equals(Buffer.from(".git"))) continue;
      const path = Buffer.concat([folder, Buffer.from("/"), entry]);
      const name = below + entry.toString("latin1");
      const stat = lstatSync(path);
      if (stat.isDirectory()) walk(path, `${name}/`);
      else if (stat.isSymbolicLink()) found[name] = `-> ${readlinkSync(path, "latin1")}`;
      else found[name] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(path).toString("hex")}`;
    }
  };
  walk(Buffer.from(root), "");
  return found;
}

async function gitState(path: string) {
  return {
    head: await gitIn(path, "rev-parse", "HEAD"),
    log: await gitIn(path, "log", "--format=%H %s"),
    staged: await gitIn(path, "ls-files", "--stage", "-z"),
    stashes: await gitIn(path, "stash", "list", "--format=%H %gs"),
    status: await gitIn(path, "status", "--porcelain", "-z"),
  };
}

/** Whether git takes itself for being in the middle of something. */
async function unfinished(path: string): Promise<string[]> {
  const administration = await gitIn(path, "rev-parse", "--absolute-git-dir");
  return ["MERGE_HEAD", "rebase-merge"].filter((name) => existsSync(join(administration, name)));
}

const stateOf = async (path: string, { inside = [] }: Shape) => ({
  files: files(path),
  git: await gitState(path),
  inside: await Promise.all(inside.map((place) => gitState(join(path, place)))),
});

const VERBS = ["complete", "delete", "retry"] as const;
type Verb = (typeof VERBS)[number];

async function putAway(verb: Verb, { id, branch: before, worktreePath }: TaskRow): Promise<void> {
  if (verb === "complete") expect((await board.act(id, "complete")).status).toBe(200);
  if (verb === "retry") {
    await board.act(id, "retry");
    await board.until(id, ({ sessionStatus, branch }) => sessionStatus === "running" && branch !== before);
  }
  if (verb === "delete") {
    await board.act(id, "stop");
    await board.ended(id);
    expect((await board.server.delete(`/api/tasks/${id}`)).status).toBe(200);
    while (existsSync(worktreePath ?? "")) await Bun.sleep(5); // put away once that is answered
  }
}

async function bringBack(verb: Verb, id: string): Promise<string> {
  if (verb !== "delete") return board.restore(id);
  const { status, body } = await board.server.post<TaskRow>(`/api/tasks/${id}/restore`);
  expect(status).toBe(200);
  return body.worktreePath ?? "";
}

/** A task whose agent has left a repository of this shape in its worktree. */
async function worked(shape: Shape, repository: TestRepository) {
  await shape.prepare?.(repository.path, library);
  const { body: project } = await board.server.post<ProjectRow>("/api/projects", { path: repository.path });
  const task = await board.running(undefined, { projectId: project.id });
  const path = task.worktreePath ?? "";
  await shape.work(path);
  return { task, before: await stateOf(path, shape), middle: await unfinished(path) };
}

describe.each(SHAPES)("$name", (shape) => {
  const verbs = DEPTH.everyShapeByEveryVerb ? VERBS : [VERBS[SHAPES.indexOf(shape) % VERBS.length] as Verb];

  test.each(verbs)("come back as they were: %s, then restore", async (verb) => {
    using repository = await TestRepository.create("shape");
    const { task, before, middle } = await worked(shape, repository);
    await putAway(verb, task);
    const back = await bringBack(verb, task.id);
    expect(await stateOf(back, shape)).toEqual(before);
    expect(await unfinished(back)).toEqual(middle);
  });

  test("are all there after 31 days, but for what was in the middle and for modes that git doesn't keep", async () => {
    using repository = await TestRepository.create("shape");
    const { task, before } = await worked(shape, repository);
    await putAway("complete", task);
    ageArchives(board.server, 31);
    await board.server.restart();
    const isKept = async () =>
      (await board.server.get<{ taskId: string; kept: string | null }[]>("/api/trash")).body.find(
        ({ taskId }) => taskId === task.id,
      )?.kept;
    let kept = await isKept();
    while (kept === null) {
      await Bun.sleep(10);
      kept = await isKept();
    }
    expect(kept).toBe(shape.isKept ? "partial" : undefined);
    await repository.git("gc", "--quiet", "--prune=now");
    const now = await stateOf(await board.restore(task.id), shape);
    const withoutModes = (all: Record<string, string>) =>
      Object.fromEntries(Object.entries(all).map(([name, text]) => [name, text.replace(/^[64]\d\d /, "")]));
    expect(withoutModes(now.files)).toEqual(withoutModes(before.files));
    const git = (state: typeof now) =>
      [state.git, ...state.inside].map(({ staged, status, ...rest }) =>
        shape.isUnfinished ? rest : { staged, status, ...rest },
      );
    expect(git(now)).toEqual(git(before));
  });
});
