// A board whose tasks run the real Claude Code against a scripted Messages API. Each task has a script of its
// own: what the model says, turn by turn, to whoever prompts it with the task's title.

import { expect } from "bun:test";
import { type ActivityKind, isLive } from "../../src/contract.ts";
import type { TaskRow } from "../../src/server/tasks/tasks.ts";
import {
  claudeEnvironment,
  claudeHome,
  claudeProgram,
  hasWritten,
  transcripts,
} from "../host/support/claude.ts";
import type { EventReader } from "./events.ts";
import { type MessagesRequest, messagesApi, type Reply, said } from "./messages-api.ts";
import { endProcesses } from "./processes.ts";
import { SessionBoard } from "./sessions.ts";
import { TestViewer } from "./viewer.ts";

type Status = TaskRow["sessionStatus"];

/** What a task's row said, one entry for each change. */
type Step = `${Exclude<Status, null> | "none"}` | `${Exclude<Status, null>} ${ActivityKind}`;

const PATIENCE_MS = 45_000;

/** How every session begins. */
export const BEGUN = ["pending", "provisioning", "running working"] as const;

export const ESC = "\x1b";

export class ClaudeBoard implements AsyncDisposable {
  private readonly scripts = new Map<string, Reply[]>();
  /** What each script's conversation was last asked with. */
  readonly asked = new Map<string, MessagesRequest>();

  private constructor(
    readonly sessions: SessionBoard,
    private readonly api: ReturnType<typeof messagesApi>,
  ) {}

  static async start(
    env: Record<string, string> = {},
    { trusted = true, isHere = false } = {},
  ): Promise<ClaudeBoard> {
    let board: ClaudeBoard | undefined;
    const api = messagesApi((request) => board?.reply(request) ?? "There is no script.");
    const environment = {
      CLAUDE_CODE_EXECUTABLE: claudeProgram(),
      ...claudeEnvironment(api.port ?? 0),
      ...env,
    };
    const sessions = await (isHere ? SessionBoard.startHere(environment) : SessionBoard.start(environment));
    claudeHome(sessions.server.home, trusted ? sessions.board.repository.path : "/elsewhere", api.port ?? 0);
    board = new ClaudeBoard(sessions, api);
    return board;
  }

  get server() {
    return this.sessions.server;
  }

  private reply(request: MessagesRequest): Reply {
    const texts = said(request).join("\n");
    const name = [...this.scripts.keys()].find((key) => texts.includes(key));
    if (name === undefined) return "Nothing was written down for this.";
    this.asked.set(name, request);
    return this.scripts.get(name)?.shift() ?? "The script is over.";
  }

  /** What the model says next to the task of this title. */
  script(title: string, replies: Reply[]) {
    this.scripts.set(title, replies);
  }

  /** Everything written down has been said. */
  isOver = (title: string) => this.scripts.get(title)?.length === 0;

  /** A task of this title, started, and followed from before. */
  async run(title: string, replies: Reply[], fields: Record<string, unknown> = {}): Promise<ClaudeRun> {
    this.script(title, replies);
    const task = await this.sessions.board.addTask({ title, status: "active", agent: "claude", ...fields });
    const run = await this.follow(task.id);
    expect((await this.sessions.act(task.id, "start")).status).toBe(202);
    return run;
  }

  async follow(taskId: string): Promise<ClaudeRun> {
    return new ClaudeRun(this, taskId, await this.server.events());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.api.stop(true);
    await this.sessions[Symbol.asyncDispose]();
  }
}

/** One task and everything its row has said. */
export class ClaudeRun implements AsyncDisposable {
  readonly rows: TaskRow[] = [];
  private readonly waiting = new Set<() => void>();
  private viewer: TestViewer | undefined;

  constructor(
    readonly board: ClaudeBoard,
    readonly id: string,
    private readonly events: EventReader,
  ) {
    void this.listen(events);
  }

  private async listen(events: EventReader): Promise<void> {
    try {
      for (let event = await events.next(); event !== undefined; event = await events.next()) {
        if (event.type !== "task" || event.data.id !== this.id) continue;
        this.rows.push(event.data as unknown as TaskRow);
        for (const look of this.waiting) look();
      }
    } catch {
      // the stream was closed, by the end of the test or of the server
    }
  }

  get task(): TaskRow {
    const task = this.rows.at(-1);
    if (task === undefined) throw new Error("nothing was heard of the task yet");
    return task;
  }

  /** Every state the row went through, without repetitions. */
  get history(): Step[] {
    const steps = this.rows
      // What is being done around a session is not its own doing.
      .map(({ sessionStatus, activity }): Step => {
        if (sessionStatus === null) return "none";
        return activity === null || !isLive(sessionStatus)
          ? sessionStatus
          : `${sessionStatus} ${activity.kind}`;
      });
    return steps.filter((step, i) => step !== steps[i - 1]);
  }

  /** Now, or as soon as the board says so. */
  async until(fits: (task: TaskRow) => boolean, what: string): Promise<TaskRow> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskRow>();
    const look = () => {
      const last = this.rows.at(-1);
      if (last !== undefined && fits(last)) resolve(last);
    };
    const timer = setTimeout(() => {
      void this.screen().then(
        (text) => reject(new Error(`never came: ${what}; ${JSON.stringify(this.history)}\n${text}`)),
        () => reject(new Error(`never came: ${what}; ${JSON.stringify(this.history)}`)),
      );
    }, PATIENCE_MS);
    this.waiting.add(look);
    look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(look);
    }
  }

  is = (kind: ActivityKind) => this.until(({ activity }) => activity?.kind === kind, kind);
  ended = () =>
    this.until(({ sessionStatus }) => sessionStatus === "failed" || sessionStatus === "done", "the end");

  screen = async () =>
    (await this.board.server.get<{ text: string }>(`/api/tasks/${this.id}/terminal/screen`)).body.text;

  transcripts = () => transcripts(this.board.server.home, this.task.agentSessionId ?? "");
  /** An answer may be there before what it answers. */
  hasWritten = (...texts: string[]) =>
    hasWritten(this.board.server.home, this.task.agentSessionId ?? "", ...texts);

  /** The terminal, as a person with a keyboard has it. */
  get terminal(): TestViewer {
    this.viewer ??= TestViewer.open(this.board.server, this.id);
    return this.viewer;
  }

  /** Waits until the screen shows it: what was once written may be gone by then. */
  async sees(pattern: RegExp): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const text = await this.screen();
      if (pattern.test(text)) return;
      if (performance.now() > deadline) throw new Error(`never shown: ${pattern}\n${text}`);
      const { offset } = this.terminal;
      await Promise.race([
        this.terminal.when((viewer) => viewer.offset !== offset, "more output").catch(() => {}),
        Bun.sleep(200),
      ]);
    }
  }

  async keys(...keys: string[]): Promise<void> {
    await this.terminal.live();
    for (const key of keys) this.terminal.type(key);
  }

  answer = (body: Record<string, unknown>) =>
    this.board.server.post(`/api/tasks/${this.id}/session/answer`, {
      ask: this.rows.at(-1)?.asks?.id,
      ...body,
    });

  prompt = async (text: string) => {
    const answer = await this.board.server.post(`/api/tasks/${this.id}/terminal/input`, {
      text,
      submit: true,
    });
    expect(answer.status).toBe(204);
  };

  /** Ends Claude at once: a machine has room for a few only. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.viewer?.[Symbol.dispose]();
    this.events[Symbol.dispose]();
    await endProcesses(`BANTO_TASK_ID=${this.id}\0`);
  }
}
