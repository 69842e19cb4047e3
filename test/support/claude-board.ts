// A board whose tasks run the real Claude Code against a scripted Messages API. Each task has a script of its
// own: what the model says, turn by turn, to whoever prompts it with the task's title.

import { expect } from "bun:test";
import {
  claudeEnvironment,
  claudeHome,
  claudeProgram,
  hasWritten,
  newClaudeHome,
  transcripts,
} from "../host/support/claude.ts";
import { type MessagesRequest, messagesApi, type Reply, said } from "./messages-api.ts";
import { SessionBoard } from "./sessions.ts";
import { TaskRun } from "./task-run.ts";

/** How every session begins. */
export const BEGUN = ["pending", "provisioning", "running working"] as const;

export const ESC = "\x1b";

/** Makes up each reply as it is asked for. */
export type Author = (request: MessagesRequest) => Reply;

interface BoardOptions {
  trusted?: boolean;
  /** The server runs inside the test's process. */
  isHere?: boolean;
  /** Of Claude Code; the newest, if none is named. */
  version?: string | undefined;
  /** Claude Code is as it comes out of its box: see `newClaudeHome`. */
  isNew?: boolean;
}

export class ClaudeBoard implements AsyncDisposable {
  private readonly scripts = new Map<string, Reply[] | Author>();
  /** What each script's conversation was last asked with. */
  readonly asked = new Map<string, MessagesRequest>();

  private constructor(
    readonly sessions: SessionBoard,
    private readonly api: ReturnType<typeof messagesApi>,
  ) {}

  static async start(
    env: Record<string, string> = {},
    { trusted = true, isHere = false, version, isNew = false }: BoardOptions = {},
  ): Promise<ClaudeBoard> {
    let board: ClaudeBoard | undefined;
    const api = messagesApi((request) => board?.reply(request) ?? "There is no script.");
    const environment = {
      CLAUDE_CODE_EXECUTABLE: claudeProgram(version),
      ...claudeEnvironment(api.port ?? 0),
      ...env,
    };
    const sessions = await (isHere ? SessionBoard.startHere(environment) : SessionBoard.start(environment));
    const project = trusted ? sessions.board.repository.path : "/elsewhere";
    if (isNew) newClaudeHome(sessions.server.home, project);
    else claudeHome(sessions.server.home, project, api.port ?? 0);
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
    const script = this.scripts.get(name) ?? [];
    if (typeof script === "function") return script(request);
    const [next = "The script is over."] = script;
    const isSaid = (text: string) => JSON.stringify(request.messages).includes(text);
    if (typeof next !== "object" || !("until" in next) || isSaid(next.until)) script.shift();
    return next;
  }

  /** What the model says next to the task of this title. */
  script(title: string, replies: Reply[] | Author) {
    this.scripts.set(title, replies);
  }

  /** Everything written down has been said. */
  isOver = (title: string) => {
    const script = this.scripts.get(title);
    return Array.isArray(script) && script.length === 0;
  };

  /** A task of this title, started, and followed from before. */
  async run(
    title: string,
    replies: Reply[] | Author,
    fields: Record<string, unknown> = {},
  ): Promise<ClaudeRun> {
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
export class ClaudeRun extends TaskRun {
  transcripts = () => transcripts(this.board.server.home, this.task.agentSessionId ?? "");
  /** An answer may be there before what it answers. */
  hasWritten = (...texts: string[]) =>
    hasWritten(this.board.server.home, this.task.agentSessionId ?? "", ...texts);

  /** It draws on a screen of its own. */
  isAlternate = async () =>
    (await this.board.server.get<{ alternate: boolean }>(`/api/tasks/${this.id}/terminal/screen`)).body
      .alternate;

  /** As the card does it, which may be refused. */
  tryPrompt = (text: string) =>
    this.board.server.post(`/api/tasks/${this.id}/terminal/input`, { text, submit: true, prompt: true });
}
