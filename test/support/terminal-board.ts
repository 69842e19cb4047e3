import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectHost } from "../../src/host/client/connect.ts";
import { type LaunchedHost, launchHost } from "../../src/host/client/launch.ts";
import { readProcess } from "../../src/host/processes/processes.ts";
import type { HostRequest } from "../../src/host/protocol/spec.ts";
import { newId } from "../../src/server/ids.ts";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { TestBoard } from "./board.ts";
import { tellTask } from "./database.ts";
import { RUN_MARKER } from "./program.ts";
import { type TempDir, tempDir } from "./temp.ts";
import { TestViewer } from "./viewer.ts";

export interface TestSession extends LaunchedHost {
  task: TaskRow;
  sessionId: string;
  socketPath: string;
}

/** A board whose tasks can be given a session of any program. All hosts end with it. */
export class TerminalBoard implements AsyncDisposable {
  private readonly viewers: TestViewer[] = [];

  private constructor(
    readonly board: TestBoard,
    readonly worktree: TempDir,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<TerminalBoard> {
    return new TerminalBoard(await TestBoard.start({ SHELL: "/bin/sh", ...env }), tempDir("worktree"));
  }

  /** Inside this process: see `TestServer.startHere`. */
  static async startHere(env: Record<string, string> = {}): Promise<TerminalBoard> {
    return new TerminalBoard(await TestBoard.startHere({ SHELL: "/bin/sh", ...env }), tempDir("worktree"));
  }

  get server() {
    return this.board.server;
  }

  setTask = (id: string, columns: Partial<TaskRow>) => tellTask(this.server, id, columns);

  /** A task that runs a program. */
  async run(argv: string[], more: Partial<HostRequest> = {}, launch = launchHost): Promise<TestSession> {
    const task = await this.board.addTask({ status: "active" });
    return this.runIn(task, argv, more, launch);
  }

  async runIn(
    task: TaskRow,
    argv: string[],
    more: Partial<HostRequest> = {},
    launch = launchHost,
  ): Promise<TestSession> {
    const { sessionId = newId(), env, ...rest } = more;
    const file = (ending: string) => join(this.server.dataDir, "run", `${sessionId}.${ending}`);
    const launched = await launch({
      sessionId,
      argv,
      cwd: this.worktree.path,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.worktree.path,
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        [RUN_MARKER.name]: RUN_MARKER.value,
        ...env,
      },
      cols: 80,
      rows: 24,
      socketPath: file("sock"),
      recordPath: file("exit"),
      logPath: file("log"),
      stopGraceMs: 500,
      ...rest,
    });
    const worktreePath = this.worktree.path;
    await this.setTask(task.id, { sessionStatus: "running", sessionId, worktreePath });
    return { ...launched, task, sessionId, socketPath: file("sock") };
  }

  /** A task with a worktree and no session. */
  async addWorktree(): Promise<TaskRow> {
    const task = await this.board.addTask({ status: "active" });
    await this.setTask(task.id, { worktreePath: this.worktree.path });
    return task;
  }

  watch(path: string, options?: Parameters<typeof TestViewer.open>[2]): TestViewer {
    const viewer = TestViewer.open(this.server, path, options);
    this.viewers.push(viewer);
    return viewer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const viewer of this.viewers) viewer[Symbol.dispose]();
    await this.server.kill("SIGTERM");
    await endHosts(join(this.server.dataDir, "run"));
    await this.board[Symbol.asyncDispose]();
    this.worktree[Symbol.dispose]();
  }
}

/** Ends every host that listens in a folder, and sees to it that none that ever logged there is left. */
async function endHosts(folder: string): Promise<void> {
  const named = (ending: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name));
  await Promise.all(named(".sock").map(endHost));
  const logs = named(".log").map((path) => readFileSync(path, "utf8"));
  const hosts = logs.flatMap((log) => /^\S+ started: .*, host (\d+),/m.exec(log)?.[1] ?? []).map(Number);
  const isAlive = (pid: number) => !["Z", undefined].includes(readProcess(pid)?.state);
  const deadline = performance.now() + 10_000;
  while (hosts.some(isAlive)) {
    if (performance.now() > deadline) throw new Error(`hosts were left behind: ${hosts.filter(isAlive)}`);
    await Bun.sleep(10);
  }
}

async function endHost(path: string): Promise<void> {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  try {
    const host = await connectHost(path, { closed: resolve });
    await host.stop();
    host.collect();
  } catch {
    return; // it had gone already and left its socket
  }
  await gone;
}
