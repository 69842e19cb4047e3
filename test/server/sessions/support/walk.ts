// Takes steps on a real server, and holds it against the model after each.

import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLive } from "../../../../src/contract.ts";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";
import { until } from "../../../host/support/host.ts";
import { readDatabase, refuseOutcomes } from "../../../support/database.ts";
import type { SessionBoard } from "../../../support/sessions.ts";
import type { SmallDisk } from "./small-disk.ts";
import { Machine } from "./walk-machine.ts";
import { answerTo, carryOut, type Model, newWork, putAway, type Work } from "./walk-model.ts";
import { type Ask, type Change, type Column, type Death, type Step, TASKS } from "./walk-steps.ts";
import { AGENT, expectWork, trailIn } from "./walk-work.ts";

/** How long a full disk stays so when that keeps something from coming to an end. */
const FULL_MS = 1_500;

type StepOf<Do extends Step["do"]> = Extract<Step, { do: Do }>;

export class Walk {
  readonly #models: Model[] = [];
  readonly #machine: Machine;
  readonly #metFullDisk = new Set<string>();

  private constructor(
    private readonly board: SessionBoard,
    private readonly disk: SmallDisk | undefined,
  ) {
    this.#machine = new Machine(board);
  }

  static async begin(board: SessionBoard, disk: SmallDisk | undefined): Promise<Walk> {
    writeFileSync(join(board.server.dataDir, "agents.toml"), AGENT);
    const walk = new Walk(board, disk);
    for (let i = 0; i < TASKS; i += 1) {
      const { id, status } = await board.addTask("", { title: "x", description: null, agent: "model" });
      walk.#models.push({
        id,
        status,
        session: null,
        isDeleted: false,
        work: null,
        archived: [],
      });
    }
    return walk;
  }

  async take(step: Step): Promise<void> {
    if (!("task" in step)) {
      await this.#happen(step);
      return this.#settleAll();
    }
    const model = this.#models[step.task];
    if (model === undefined) throw new Error("no such task");
    if (step.do === "ask") await this.#ask(model, step);
    else if (step.do === "move") await this.#move(model, step.to);
    else if (step.do === "rename") await this.#rename(model, step.title);
    else if (step.do === "delete") await this.#delete(model);
    else if (step.do === "undo") await this.#undo(model);
    else if (step.do === "restore") await this.#restore(model);
    else if (step.do === "end") await this.#end(model, step.code);
    else if (step.do === "freeze") await this.#freeze(model, step.what);
    else if (step.do === "fill") await this.#fill(model, step);
    else await this.#look(model);
  }

  async #happen(step: Exclude<Step, { task: number }>): Promise<void> {
    const machine = this.#machine;
    if (step.do === "restart") await machine.restart(step.how);
    else if (step.do === "relocate") await machine.relocate(step.how);
    else if (step.do === "copy") await machine.startCopy(step.how);
    else if (step.do === "clock") await machine.setClock(step.days);
    else if (step.do === "month")
      await machine.month({ ...step, metFullDisk: (taskId) => this.#metFullDisk.has(taskId) });
    else {
      for (const model of this.#models)
        if (!model.isDeleted && model.session === "running") await this.#stop(model);
      await machine.goOnInCopy(step.how);
    }
  }

  #stop = (model: Model) =>
    this.#ask(model, { do: "ask", what: "stop", task: 0, crash: false, isFull: false });

  async #ask(model: Model, { what: ask, crash, isFull }: StepOf<"ask">) {
    const expected = answerTo(ask, model);
    if (isFull && expected === 202) await this.#unrecorded(model, ask);
    else expect((await this.board.act(model.id, ask)).status).toBe(expected);
    if (expected >= 400) return;
    carryOut(ask, model);
    if (crash) await this.#restart("SIGKILL");
    await this.#settle(model);
    await this.#look(model);
  }

  /** It is accepted, and its end can't be written down before there is room again. */
  async #unrecorded(model: Model, ask: Ask) {
    const { server } = this.board;
    const times = () => server.output.split("database or disk is full").length;
    const before = times();
    using _ = refuseOutcomes(server);
    expect((await this.board.act(model.id, ask)).status).toBe(202);
    await until(() => times() > before, "a full disk");
  }

  /** Whatever was accepted has been carried out, and a session that began has left its name. */
  async #settle(model: Model) {
    const live = model.session === "running";
    const row = await this.board.until(
      model.id,
      ({ sessionOperation, sessionStatus }) =>
        sessionOperation === null && (live ? sessionStatus === "running" : sessionStatus === model.session),
    );
    const { sessionId, worktreePath } = row;
    const { work } = model;
    if (!live || sessionId === null || worktreePath === null || work === null) return;
    if (!work.sessions.includes(sessionId)) work.sessions.push(sessionId);
    if (!work.trail.includes(sessionId)) work.trail.push(sessionId);
    // It runs from the moment its program has begun, which may be before its first command.
    await until(() => trailIn(worktreePath).includes(sessionId), `the name of ${sessionId}`);
  }

  async #move(model: Model, to: Column) {
    const { status } = await this.board.server.patch(`/api/tasks/${model.id}`, { status: to });
    const isRefused = model.session === "running" && to !== model.status;
    expect(status).toBe(model.isDeleted ? 404 : isRefused ? 409 : 200);
    if (status === 200) model.status = to;
  }

  async #rename(model: Model, title: string) {
    const { status } = await this.board.server.patch(`/api/tasks/${model.id}`, { title });
    expect(status).toBe(model.isDeleted ? 404 : 200);
  }

  async #delete(model: Model) {
    const { status } = await this.board.server.delete(`/api/tasks/${model.id}`);
    expect(status).toBe(model.isDeleted ? 404 : model.session === "running" ? 409 : 200);
    if (status === 200) model.isDeleted = true; // the worktree goes along, and comes back with an undo
  }

  async #undo(model: Model) {
    const { status } = await this.board.server.post(`/api/tasks/${model.id}/restore`);
    expect(status).toBe(200);
    if (model.isDeleted) model.session = null;
    model.isDeleted = false;
    // One that a full disk kept from coming back may come now.
    if (model.work === null && (await this.board.task(model.id)).worktreePath !== null)
      model.work = model.archived.pop() ?? null;
    await this.#look(model);
  }

  /** Brings the oldest archived worktree back, beside the one in place or into its place. */
  async #restore(model: Model) {
    const [work] = model.archived;
    if (model.isDeleted || work === undefined) return;
    const path = await this.#bringBack(model, work);
    const row = await this.board.task(model.id);
    if (row.worktreePath !== path) return;
    model.archived.shift();
    model.work = work;
  }

  async #bringBack(model: Model, work: Work): Promise<string> {
    const path = await this.board.restore(model.id, await this.#logOf(model, work));
    await expectWork(path, work);
    return path;
  }

  #logOf = async ({ id }: Model, { sessions }: Work) =>
    (await this.board.logs(id)).find(({ sessionId }) => sessions.includes(sessionId ?? ""));

  async #end(model: Model, code: number) {
    const { status } = await this.board.server.post(`/api/tasks/${model.id}/terminal/input`, {
      text: String(code),
      submit: true,
    });
    expect(status).toBe(model.isDeleted ? 404 : model.session === "running" ? 204 : 409);
    if (status !== 204) return;
    model.session = code === 0 ? "done" : "failed";
    await this.#settle(model);
  }

  async #look(model: Model) {
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
      worktree: model.work !== null,
    });
    if (body.worktreePath !== null && model.work !== null) await expectWork(body.worktreePath, model.work);
  }

  async #freeze(model: Model, what: StepOf<"freeze">["what"]) {
    if (model.isDeleted || model.session !== "running") return;
    const host = this.board.hostOf(await this.board.task(model.id));
    process.kill(host, "SIGSTOP");
    try {
      if (what === "kill") {
        // What it shows changes as soon as it is noticed that its host doesn't answer.
        await this.#restart("SIGKILL", model);
        expect(isLive((await this.board.task(model.id)).sessionStatus)).toBe(true);
      } else await this.#ask(model, { do: "ask", what, task: 0, crash: false, isFull: false });
    } finally {
      if (what === "kill") process.kill(host, "SIGCONT");
    }
    await this.#settle(model);
    expect(this.board.agentsOf(model.id).length).toBe(what === "kill" ? 1 : 0);
  }

  /** Either it is carried out or it is refused, as soon as there is room again, and the work is there in any case. */
  async #fill(model: Model, { what, after }: StepOf<"fill">) {
    if (this.disk === undefined || (what === "restore" && (model.isDeleted || model.archived.length === 0)))
      return;
    // What goes along with a task that was deleted is not to meet it.
    for (const other of this.#models) if (other.isDeleted) await this.#operationOver(other);
    const before = model.isDeleted ? undefined : await this.board.task(model.id);
    const log = what === "restore" ? await this.#logOf(model, model.archived[0] as Work) : undefined;
    const request = () => {
      const task = `/api/tasks/${model.id}`;
      if (what === "delete") return this.board.server.delete(task);
      if (what === "undo") return this.board.server.post(`${task}/restore`);
      if (what === "restore") return this.board.server.post(`${task}/session-logs/${log?.id}/restore`);
      return this.board.act(model.id, what);
    };
    this.#metFullDisk.add(model.id);
    const asked = after === null ? undefined : request();
    if (after !== null) await Bun.sleep(after);
    const answer = await this.#whileFull(model, () => asked ?? request());
    const isAccepted = answer.status < 400;
    if (!isAccepted) expect([404, 409, 422, 507]).toContain(answer.status);
    if (what === "delete" && isAccepted) return this.#deletedWhileFull(model);
    if (what === "undo" && isAccepted) model.isDeleted = false;
    if (model.isDeleted) return;
    const row = await this.#atRest(model, { isEnded: isAccepted && what === "stop" });
    if (isAccepted && what === "complete")
      expect(row).toMatchObject({ status: "done", worktreePath: null, sessionStatus: null });
    await this.#learn(model, what, before?.branch, row);
    await this.#look(model);
  }

  async #whileFull<T>(model: Model, work: () => Promise<T>): Promise<T> {
    using _ = this.disk?.full();
    const done = await work();
    await Promise.race([this.#operationOver(model), Bun.sleep(FULL_MS)]);
    return done;
  }

  async #operationOver({ id, isDeleted }: Model): Promise<TaskRow | undefined> {
    for (;;) {
      const { body } = await this.board.server.get<TaskRow[]>(`/api/tasks${isDeleted ? "/deleted" : ""}`);
      const row = body.find((task) => task.id === id);
      if (row?.sessionOperation == null) return row;
      await Bun.sleep(50);
    }
  }

  /** `isEnded`: on a full disk an agent is ended before that can be written down. */
  #atRest = (model: Model, { isEnded }: { isEnded: boolean }) =>
    this.board.until(
      model.id,
      ({ sessionOperation, sessionStatus }) =>
        sessionOperation === null &&
        sessionStatus !== "pending" &&
        sessionStatus !== "provisioning" &&
        !(isEnded && isLive(sessionStatus)),
    );

  /** A worktree that could not be put away with its task is put away at the next start. */
  async #deletedWhileFull(model: Model) {
    model.isDeleted = true;
    const row = await this.#operationOver(model);
    if (row?.worktreePath == null) return;
    await this.#restart("SIGTERM");
    expect(await this.#operationOver(model)).toMatchObject({ worktreePath: null });
  }

  /** Where the work is by now. */
  async #learn(model: Model, what: Ask | Change, branch: string | null | undefined, row: TaskRow) {
    if (model.work !== null && (row.worktreePath === null || (what === "retry" && row.branch !== branch)))
      putAway(model);
    if (model.work === null && row.worktreePath !== null) {
      const back =
        what === "restore" ? model.archived.shift() : what === "undo" ? model.archived.pop() : undefined;
      model.work = back ?? newWork();
    }
    model.status = row.status;
    model.session = row.sessionStatus as Model["session"];
    if (model.session === "running") return this.#settle(model);
    const { work } = model;
    if (work === null || row.worktreePath === null || row.sessionId === null) return;
    if (!work.sessions.includes(row.sessionId)) work.sessions.push(row.sessionId);
    // It may have failed before or after it could leave its name.
    const trail = trailIn(row.worktreePath);
    if (trail.at(-1) === row.sessionId && !work.trail.includes(row.sessionId)) work.trail.push(row.sessionId);
  }

  async #restart(how: Death, except?: Model) {
    await this.#machine.restart(how);
    await this.#settleAll(except);
  }

  async #settleAll(except?: Model) {
    for (const model of this.#models) if (!model.isDeleted && model !== except) await this.#settle(model);
  }

  /** Nothing but what the model says runs, and the database is whole. */
  async finish({ restoresAll }: { restoresAll: boolean }) {
    for (const model of this.#models) {
      if (!model.isDeleted) await this.#settle(model);
      await this.#look(model);
      expect(this.board.agentsOf(model.id).length).toBe(
        !model.isDeleted && model.session === "running" ? 1 : 0,
      );
    }
    expect(readDatabase(this.board.server).integrity).toEqual([["ok"]]);
    if (!restoresAll) return;
    for (const model of this.#models) {
      if (model.isDeleted) await this.#undo(model);
      for (const work of model.archived) await this.#bringBack(model, work);
    }
  }
}
