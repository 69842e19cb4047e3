// Random walks over the real server, real git and real terminals, with the server killed and restarted
// in between. A model of a few lines says what each request must be answered and what must be true
// afterwards. BANTO_MODEL_SEED=… walks the same way again.

import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { isLive } from "../../../src/contract.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { until } from "../../host/support/host.ts";
import { readDatabase, refuseOutcomes } from "../../support/database.ts";
import { DEPTH } from "../../support/depth.ts";
import { environment, runServer } from "../../support/program.ts";
import { gitIn, TestRepository } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";

const STEPS = DEPTH.modelSteps;
const WALK = 500;
const TASKS = 6;

/** Repositories in a worktree: one that the agent makes, and the project's submodule. */
const INSIDE = ["inner", "library"];
const BEGIN = `git init -q inner; [ -e library/.git ] || git -c protocol.file.allow=always submodule -q update --init`;
const COMMIT = INSIDE.map((name) => `git -C ${name} commit -q --allow-empty -m "$BANTO_SESSION_ID"`).join(
  "; ",
);
/** Leaves its name in the worktree and in the repositories within, then ends with whatever code it is told. */
const RUN = `${BEGIN}; ${COMMIT}; echo "$BANTO_SESSION_ID" >> trail; echo on; read code; exit $code`;
const AGENT = `
[agents.model]
command = ["sh", "-c", '${RUN}']
resume = ["sh", "-c", '${RUN}']
env = { GIT_AUTHOR_NAME = "a", GIT_AUTHOR_EMAIL = "a@b", GIT_COMMITTER_NAME = "a", GIT_COMMITTER_EMAIL = "a@b" }
`;

type Column = TaskRow["status"];

interface Model {
  id: string;
  status: Column;
  session: "running" | "done" | "failed" | null;
  isDeleted: boolean;
  /** The sessions that worked in the worktree that is in its place. */
  trail: string[] | null;
  /** Those of the worktrees that were put away, oldest first. */
  archived: string[][];
}

const ASKS = ["start", "stop", "resume", "retry", "complete"] as const;
type Ask = (typeof ASKS)[number];

type Step =
  | { do: "ask"; what: Ask; task: number; crash: boolean; isFull: boolean }
  | { do: "move"; to: Column; task: number }
  | { do: "rename"; title: string; task: number }
  | { do: "delete" | "undo" | "restore" | "look"; task: number }
  | { do: "end"; code: number; task: number }
  | { do: "restart"; how: "SIGTERM" | "SIGKILL" }
  /** The data directory is renamed between two runs of the server. */
  | { do: "relocate"; how: "SIGTERM" | "SIGKILL" }
  /** A copy of the data directory is started between two runs of the server. */
  | { do: "copy"; how: "SIGTERM" | "SIGKILL" }
  /** The clock jumps between two runs of the server. */
  | { do: "clock"; days: number }
  /** The server is killed and started again while a session's host doesn't answer. */
  | { do: "freeze"; task: number };

const task = fc.nat(TASKS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 260, arbitrary: fc.record({ do: fc.constant("look" as const), task }) },
  {
    weight: 330,
    arbitrary: fc.record({
      do: fc.constant("rename" as const),
      title: fc.stringMatching(/^[a-z]{1,9}$/),
      task,
    }),
  },
  {
    weight: 260,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      to: fc.constantFrom<Column>("backlog", "active", "active", "done"),
      task,
    }),
  },
  {
    weight: 90,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      what: fc.constantFrom(...ASKS),
      task,
      crash: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
      /** Of the disk, until it has been met. */
      isFull: fc.integer({ min: 0, max: 59 }).map((n) => n === 0),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constantFrom("delete" as const, "undo" as const, "restore" as const),
      task,
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({ do: fc.constant("end" as const), code: fc.constantFrom(0, 0, 3), task }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("restart" as const, "relocate" as const, "copy" as const),
      how: fc.constantFrom("SIGTERM" as const, "SIGKILL" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("clock" as const), days: fc.constantFrom(-400, -1, 0, 2, 40) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("freeze" as const), task }) },
);

/** What a request must be answered. */
function answerTo(ask: Ask, { status, session, isDeleted, trail }: Model): number {
  const isLive = session === "running";
  if (isDeleted) return 404;
  if (ask === "complete") return 200;
  if (ask === "stop") return isLive ? 202 : 409;
  if (ask === "resume" && isLive) return 409;
  if (status !== "active") return 422;
  if (ask === "start") return session === null ? 202 : 409;
  if (ask === "resume") return trail === null ? 422 : 202;
  return 202;
}

/** What is true once it has been carried out; the trail of a session that begins is completed afterwards. */
function carryOut(ask: Ask, model: Model): void {
  if (ask === "stop") model.session = "failed";
  if (ask === "retry" || ask === "complete") putAway(model);
  if (ask === "complete") model.status = "done";
  if (ask === "start" || ask === "resume" || ask === "retry") {
    model.session = "running";
    model.trail ??= [];
  }
}

function putAway(model: Model) {
  if (model.trail !== null) model.archived.push(model.trail);
  model.trail = null;
  model.session = null;
}

class Walk {
  readonly models: Model[] = [];
  steps = 0;

  constructor(readonly board: SessionBoard) {}

  async begin() {
    for (let i = 0; i < TASKS; i += 1) {
      const { id, status } = await this.board.addTask("", { title: "x", description: null, agent: "model" });
      this.models.push({ id, status, session: null, isDeleted: false, trail: null, archived: [] });
    }
  }

  async take(step: Step): Promise<void> {
    this.steps += 1;
    if (step.do === "restart") return this.restart(step.how);
    if (step.do === "clock") {
      this.board.server.setClockAhead(step.days * 86_400_000);
      return this.restart("SIGTERM");
    }
    if (step.do === "copy") return this.restart(step.how, { isCopied: true });
    if (step.do === "relocate") return this.restart(step.how, { dataDir: `data-${this.steps}` });
    const model = this.models[step.task];
    if (model === undefined) throw new Error("no such task");
    if (step.do === "ask") await this.ask(model, step);
    else if (step.do === "move") await this.move(model, step.to);
    else if (step.do === "rename") await this.rename(model, step.title);
    else if (step.do === "delete") await this.delete(model);
    else if (step.do === "undo") await this.undo(model);
    else if (step.do === "restore") await this.restore(model);
    else if (step.do === "end") await this.end(model, step.code);
    else if (step.do === "freeze") await this.freeze(model);
    else await this.look(model);
  }

  private async ask(model: Model, { what: ask, crash, isFull }: Extract<Step, { do: "ask" }>) {
    const expected = answerTo(ask, model);
    if (isFull && expected === 202) await this.onFullDisk(model, ask);
    else expect((await this.board.act(model.id, ask)).status).toBe(expected);
    if (expected >= 400) return;
    carryOut(ask, model);
    if (crash) await this.restart("SIGKILL");
    await this.settle(model);
    await this.look(model);
  }

  /** It is accepted, and its end can't be written down before there is room again. */
  private async onFullDisk(model: Model, ask: Ask) {
    const { server } = this.board;
    const times = () => server.output.split("database or disk is full").length;
    const before = times();
    using _ = refuseOutcomes(server);
    expect((await this.board.act(model.id, ask)).status).toBe(202);
    await until(() => times() > before, "a full disk");
  }

  /** Whatever was accepted has been carried out, and a session that began has left its name. */
  private async settle(model: Model) {
    const live = model.session === "running";
    const row = await this.board.until(
      model.id,
      ({ sessionOperation, sessionStatus }) =>
        sessionOperation === null && (live ? sessionStatus === "running" : sessionStatus === model.session),
    );
    const { sessionId, worktreePath } = row;
    if (!live || sessionId === null || worktreePath === null) return;
    if (!model.trail?.includes(sessionId)) model.trail?.push(sessionId);
    // It runs from the moment its program has begun, which may be before its first command.
    await until(() => this.trailIn(worktreePath).includes(sessionId), `the name of ${sessionId}`);
  }

  private async move(model: Model, to: Column) {
    const { status } = await this.board.server.patch(`/api/tasks/${model.id}`, { status: to });
    const isRefused = model.session === "running" && to !== model.status;
    expect(status).toBe(model.isDeleted ? 404 : isRefused ? 409 : 200);
    if (status === 200) model.status = to;
  }

  private async rename(model: Model, title: string) {
    const { status } = await this.board.server.patch(`/api/tasks/${model.id}`, { title });
    expect(status).toBe(model.isDeleted ? 404 : 200);
  }

  private async delete(model: Model) {
    const { status } = await this.board.server.delete(`/api/tasks/${model.id}`);
    expect(status).toBe(model.isDeleted ? 404 : model.session === "running" ? 409 : 200);
    if (status === 200) model.isDeleted = true; // the worktree goes along, and comes back with an undo
  }

  private async undo(model: Model) {
    const { status } = await this.board.server.post(`/api/tasks/${model.id}/restore`);
    expect(status).toBe(200);
    if (model.isDeleted) model.session = null;
    model.isDeleted = false;
    await this.look(model);
  }

  /** Brings the oldest archived worktree back, beside the one in place or into its place. */
  private async restore(model: Model) {
    if (model.isDeleted || model.archived.length === 0) return;
    const trail = model.archived[0] ?? [];
    const log = (await this.board.logs(model.id)).find(({ sessionId }) => sessionId === trail[0]);
    const path = await this.board.restore(model.id, log);
    await this.expectTrail(path, trail);
    const row = await this.board.task(model.id);
    if (row.worktreePath !== path) return;
    model.archived.shift();
    model.trail = trail;
  }

  private async end(model: Model, code: number) {
    const { status } = await this.board.server.post(`/api/tasks/${model.id}/terminal/input`, {
      text: String(code),
      submit: true,
    });
    expect(status).toBe(model.isDeleted ? 404 : model.session === "running" ? 204 : 409);
    if (status !== 204) return;
    model.session = code === 0 ? "done" : "failed";
    await this.settle(model);
  }

  private async look(model: Model) {
    const { status, body } = await this.board.server.get<TaskRow>(`/api/tasks/${model.id}`);
    expect(status).toBe(model.isDeleted ? 404 : 200);
    if (model.isDeleted) return;
    expect({
      status: body.status,
      session: body.sessionStatus,
      worktree: body.worktreePath !== null,
    }).toEqual({
      status: model.status,
      session: model.session,
      worktree: model.trail !== null,
    });
    if (body.worktreePath !== null) await this.expectTrail(body.worktreePath, model.trail ?? []);
  }

  private async expectTrail(path: string, trail: string[]) {
    expect(this.trailIn(path)).toEqual(trail);
    if (trail.length === 0) return;
    for (const name of INSIDE) {
      const log = await gitIn(join(path, name), "log", "--format=%s", "--reverse");
      expect(log.split("\n").filter((line) => line !== "first")).toEqual(trail);
    }
  }

  private trailIn(path: string): string[] {
    const file = join(path, "trail");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  private async freeze(model: Model) {
    if (model.isDeleted || model.session !== "running") return;
    const host = this.board.hostOf(await this.board.task(model.id));
    process.kill(host, "SIGSTOP");
    try {
      await this.restart("SIGKILL", { frozen: model });
      expect(isLive((await this.board.task(model.id)).sessionStatus)).toBe(true);
    } finally {
      process.kill(host, "SIGCONT");
    }
    await this.settle(model);
  }

  /** What `frozen` shows changes as soon as it is noticed that its host doesn't answer. */
  private async restart(
    how: "SIGTERM" | "SIGKILL",
    { dataDir, frozen, isCopied }: { dataDir?: string; frozen?: Model; isCopied?: boolean } = {},
  ) {
    await this.board.server.kill(how);
    if (isCopied) await this.startCopy();
    if (dataDir !== undefined) this.board.server.moveData(dataDir);
    await this.board.server.restart();
    for (const model of this.models) if (!model.isDeleted && model !== frozen) await this.settle(model);
  }

  /** It says that it is one, and touches nothing. */
  private async startCopy() {
    const { dataDir, home } = this.board.server;
    const copy = join(home, "copy");
    Bun.spawnSync(["cp", "-a", dataDir, copy]);
    const { code, stderr } = await runServer(environment(home, { BANTO_DATA_DIR: copy }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is a copy of") });
    rmSync(copy, { recursive: true });
  }

  /** Nothing but what the model says runs, and the database is whole. */
  async finish() {
    for (const model of this.models) {
      if (!model.isDeleted) await this.settle(model);
      await this.look(model);
      expect(this.board.agentsOf(model.id).length).toBe(
        !model.isDeleted && model.session === "running" ? 1 : 0,
      );
    }
    expect(readDatabase(this.board.server).integrity).toEqual([["ok"]]);
    for (const { id, isDeleted } of this.models) if (!isDeleted) await this.board.act(id, "complete");
  }
}

test(`the server and a model of it stay in step over ${STEPS} random steps with crashes in between`, async () => {
  await using board = await SessionBoard.start();
  using library = await TestRepository.create("library");
  const { repository } = board.board;
  await repository.git(
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    library.path,
    "library",
  );
  await repository.git("commit", "--quiet", "-m", "submodule");
  writeFileSync(join(board.server.dataDir, "agents.toml"), AGENT);
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: WALK, maxLength: WALK, size: "max" }), async (steps) => {
      const walk = new Walk(board);
      await walk.begin();
      for (const next of steps) {
        try {
          await walk.take(next);
        } catch (cause) {
          throw new Error(`at step ${walk.steps}, ${JSON.stringify(next)}`, { cause });
        }
      }
      await walk.finish();
      taken += walk.steps;
    }),
    {
      numRuns: Math.ceil(STEPS / WALK),
      endOnFailure: true,
      ...(process.env.BANTO_MODEL_SEED && { seed: Number(process.env.BANTO_MODEL_SEED) }),
    },
  );
  expect(taken).toBeGreaterThanOrEqual(STEPS);
}, 3_600_000);
