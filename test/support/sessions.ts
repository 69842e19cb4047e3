// A board whose tasks run scripted agents: a task's description is the shell script it runs.

import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProcess } from "../../src/host/processes/processes.ts";
import { isHeld } from "../../src/host/protocol/claim.ts";
import type { SessionLog } from "../../src/server/sessions/store.ts";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { TestBoard } from "./board.ts";
import { processesWith } from "./processes.ts";
import type { TestServer } from "./server.ts";

const AGENTS = `
[agents.script]
command = ["sh", "-c", 'eval "$1"', "sh", "{prompt}"]
resume = ["sh", "-c", 'echo resumed {session}; exec sleep 1000']
`;

const MANY_SESSIONS = { BANTO_MAX_SESSIONS: "100" };

/** A program that prints nothing is not waited for any longer. */
const FIRST_WORDS_MS = 3_000;

/** Runs until it is stopped. */
export const LASTING = "echo started; exec sleep 1000";

export class SessionBoard implements AsyncDisposable {
  private constructor(readonly board: TestBoard) {}

  static async start(env?: Record<string, string>, wrapper?: string[]): Promise<SessionBoard> {
    return SessionBoard.on(await TestBoard.start({ ...MANY_SESSIONS, ...env }, wrapper));
  }

  /** See `TestServer.startShipped`. */
  static async startShipped(env?: Record<string, string>, wrapper?: string[]): Promise<SessionBoard> {
    return SessionBoard.on(await TestBoard.startShipped({ ...MANY_SESSIONS, ...env }, wrapper));
  }

  /** Inside this process: see `TestServer.startHere`. */
  static async startHere(env?: Record<string, string>): Promise<SessionBoard> {
    return SessionBoard.on(await TestBoard.startHere({ ...MANY_SESSIONS, ...env }));
  }

  private static async on(board: TestBoard): Promise<SessionBoard> {
    writeFileSync(board.server.inData("agents.toml"), AGENTS);
    // Has the file read now: pages that are open are told of a change.
    await board.server.post("/api/tasks", { projectId: board.project.id, title: "x", agent: "nobody" });
    return new SessionBoard(board);
  }

  get server(): TestServer {
    return this.board.server;
  }

  /** An active task whose agent runs this script. */
  addTask(script = LASTING, fields: Record<string, unknown> = {}): Promise<TaskRow> {
    return this.board.addTask({
      title: ": a task",
      description: script,
      status: "active",
      agent: "script",
      ...fields,
    });
  }

  act = (id: string, action: string) =>
    this.server.post<TaskRow>(`/api/tasks/${id}/${action === "complete" ? action : `session/${action}`}`);

  task = async (id: string) => (await this.server.get<TaskRow>(`/api/tasks/${id}`)).body;

  logs = async (id: string) => (await this.server.get<SessionLog[]>(`/api/tasks/${id}/session-logs`)).body;

  /** Waits for the board to say so; of a program that runs, also for what it prints first. */
  async until(id: string, fits: (task: TaskRow) => boolean): Promise<TaskRow> {
    const task = await this.told(id, fits);
    if (task.sessionStatus === "running") await this.printed(id);
    return task;
  }

  private async printed(id: string): Promise<void> {
    const deadline = performance.now() + FIRST_WORDS_MS;
    while (performance.now() < deadline) {
      const screen = await this.server.get<{ offset: number }>(`/api/tasks/${id}/terminal/screen`);
      if (screen.status !== 200 || screen.body.offset > 0) return;
      await Bun.sleep(5);
    }
  }

  private async told(id: string, fits: (task: TaskRow) => boolean): Promise<TaskRow> {
    using events = await this.server.events();
    const now = await this.task(id);
    if (fits(now)) return now;
    const seen = await events.until(
      ({ type, data }) => type === "task" && data.id === id && fits(data as unknown as TaskRow),
    );
    return seen.at(-1)?.data as unknown as TaskRow;
  }

  /** Nothing is under way any more. */
  settled = (id: string) => this.until(id, ({ sessionOperation }) => sessionOperation === null);

  async running(script?: string, fields?: Record<string, unknown>): Promise<TaskRow> {
    const { id } = await this.addTask(script, fields);
    expect((await this.act(id, "start")).status).toBe(202);
    return this.until(
      id,
      ({ sessionStatus, sessionOperation }) => sessionStatus === "running" && sessionOperation === null,
    );
  }

  async ended(id: string): Promise<TaskRow> {
    return this.until(
      id,
      ({ sessionStatus, sessionOperation }) =>
        (sessionStatus === "done" || sessionStatus === "failed") && sessionOperation === null,
    );
  }

  /** Every process that a task's agent started, and itself. */
  processesOf = (id: string) => processesWith(`BANTO_TASK_ID=${id}\0`);

  /** The agents that run for a task: the programs that lead a terminal. */
  agentsOf = (id: string) => this.processesOf(id).filter(({ pid }) => readProcess(pid)?.session === pid);

  /** The process that holds a session's terminal. */
  hostOf({ sessionId }: TaskRow): number {
    return JSON.parse(readFileSync(this.claimOf(sessionId), "utf8")).pid;
  }

  private claimOf = (sessionId: string | null) => join(this.server.dataDir, "run", `${sessionId}.claim`);

  /** It takes its leave after the session has ended. */
  async hostGone({ sessionId }: TaskRow): Promise<void> {
    while (isHeld(this.claimOf(sessionId))) await Bun.sleep(5);
  }

  killHost(task: TaskRow) {
    process.kill(this.hostOf(task), "SIGKILL");
  }

  /** Brings the newest archived worktree back and says where it is. */
  async restore(id: string, log?: SessionLog): Promise<string> {
    const { id: logId } = log ?? (await this.logs(id))[0] ?? { id: "" };
    const { status, body } = await this.server.post<{ path: string; branch: string }>(
      `/api/tasks/${id}/session-logs/${logId}/restore`,
    );
    expect(status).toBe(201);
    expect(existsSync(body.path)).toBe(true);
    return body.path;
  }

  [Symbol.asyncDispose] = () => this.board[Symbol.asyncDispose]();
}
