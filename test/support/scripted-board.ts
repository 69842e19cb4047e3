// A board whose tasks run a real agent against a scripted model, offline. Each task has a script of its own: what the
// model says, turn by turn, to whoever prompts it with the task's title.

import { expect } from "bun:test";
import { until } from "../host/support/host.ts";
import type { Reply } from "./messages-api.ts";
import { SessionBoard } from "./sessions.ts";
import { TaskRun } from "./task-run.ts";

const STARTED_MS = 150_000;

export interface ScriptedAgent {
  name: string;
  /** A model on loopback; `texts` are what the person has said. */
  serve(answer: (texts: string, request: unknown) => Reply): {
    port?: number | undefined;
    stop(force: boolean): unknown;
  };
  /** Of the newest that is pinned, if no version is named. */
  environment(port: number, version?: string): Record<string, string>;
  /** Everything it asks when it is first run has been answered there. */
  configure(home: string, port: number, repository: string): void;
}

export class ScriptedBoard implements AsyncDisposable {
  private readonly scripts = new Map<string, Reply[]>();
  /** What each script's conversation was last asked with, as JSON. */
  readonly asked = new Map<string, string>();

  private constructor(
    readonly sessions: SessionBoard,
    private readonly agent: ScriptedAgent,
    private readonly api: ReturnType<ScriptedAgent["serve"]>,
  ) {}

  static async start(
    agent: ScriptedAgent,
    { isHere = false, version }: { isHere?: boolean; version?: string } = {},
  ): Promise<ScriptedBoard> {
    let board: ScriptedBoard | undefined;
    const api = agent.serve((texts, request) => board?.reply(texts, request) ?? "There is no script.");
    const port = api.port ?? 0;
    const environment = agent.environment(port, version);
    const sessions = await (isHere ? SessionBoard.startHere(environment) : SessionBoard.start(environment));
    agent.configure(sessions.server.home, port, sessions.board.repository.path);
    board = new ScriptedBoard(sessions, agent, api);
    return board;
  }

  get server() {
    return this.sessions.server;
  }

  private reply(texts: string, request: unknown): Reply {
    const name = [...this.scripts.keys()].find((key) => texts.includes(key));
    if (name === undefined) return "Nothing was written down for this.";
    this.asked.set(name, JSON.stringify(request));
    return this.scripts.get(name)?.shift() ?? "The script is over.";
  }

  /** What the model says next to the task of this title. */
  script(title: string, replies: Reply[]) {
    this.scripts.set(title, replies);
  }

  /** Everything written down has been said. */
  isOver = (title: string) => this.scripts.get(title)?.length === 0;

  /** A task of this title, started, and followed from before. */
  async run(title: string, replies: Reply[], fields: Record<string, unknown> = {}): Promise<TaskRun> {
    this.script(title, replies);
    const agent = this.agent.name;
    const task = await this.sessions.board.addTask({ title, status: "active", agent, ...fields });
    const run = await this.follow(task.id);
    expect((await this.sessions.act(task.id, "start")).status).toBe(202);
    return run;
  }

  /** The model of this task has been asked: before, starting may take minutes on a busy machine. */
  hasStarted = (title: string) =>
    until(() => this.asked.has(title), `${this.agent.name} to ask its model`, STARTED_MS);

  async follow(taskId: string): Promise<TaskRun> {
    return new TaskRun(this, taskId, await this.server.events());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.api.stop(true);
    await this.sessions[Symbol.asyncDispose]();
  }
}
