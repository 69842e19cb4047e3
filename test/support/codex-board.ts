// A board whose tasks run the real Codex against a scripted Responses API. Each task has a script of its own: what the
// model says, turn by turn, to whoever prompts it with the task's title.

import { expect } from "bun:test";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentProgram } from "../../bin/lib/agent-programs.ts";
import type { Gauges } from "../../src/contract.ts";
import type { SessionRow } from "../../src/server/sessions/viewers/session-list.ts";
import { type Reply, type ResponsesRequest, responsesApi } from "./responses-api.ts";
import { SessionBoard } from "./sessions.ts";
import { TaskRun } from "./task-run.ts";
import { type TempDir, tempDir } from "./temp.ts";

const MODEL = "gpt-6-sol";

/** One task, its terminal and everything its row has said. */
export class CodexRun extends TaskRun {
  /** As its card sends one. */
  send = (text: string) =>
    this.board.server.post<{ error?: { message: string } }>(`/api/tasks/${this.id}/terminal/input`, {
      text,
      submit: true,
      prompt: true,
    });

  /** As a person does in its terminal. */
  type = async (text: string) => {
    const path = `/api/tasks/${this.id}/terminal/input`;
    expect((await this.board.server.post(path, { text, submit: true })).status).toBe(204);
  };

  override prompt = async (text: string) => {
    const { status, body } = await this.send(text);
    expect(body.error?.message).toBeUndefined();
    expect(status).toBe(204);
  };

  /** Its figures, as the board tells them. */
  gauges = async (): Promise<Gauges | undefined> => {
    const { body } = await this.board.server.get<SessionRow[]>("/api/sessions");
    return body.find(({ taskId }) => taskId === this.id)?.gauges ?? undefined;
  };
}

interface Configuration {
  /** Codex needn't ask whether it may work in the repository. */
  trusted?: boolean;
  /** A model without a login; otherwise Codex's own, to which nobody is logged in. */
  hasModel?: boolean;
  /** An MCP server that asks for something. */
  hasMcpServer?: boolean;
}

export class CodexBoard implements AsyncDisposable {
  private readonly scripts = new Map<string, Reply[]>();
  /** What each script's conversation was last asked with. */
  readonly asked = new Map<string, ResponsesRequest>();
  /** By what name Codex has introduced itself to its model. */
  readonly originators = new Set<string>();

  private constructor(
    readonly sessions: SessionBoard,
    private readonly api: ReturnType<typeof responsesApi>,
    private readonly folder: TempDir,
  ) {}

  static async start({ isHere = false, version }: { isHere?: boolean; version?: string } = {}) {
    let board: CodexBoard | undefined;
    const api = responsesApi((request, headers) => board?.reply(request, headers) ?? "There is no script.");
    const folder = tempDir("codex");
    symlinkSync(agentProgram("codex", version), join(folder.path, "codex"));
    const environment = {
      PATH: `${folder.path}:${process.env.PATH}`,
      FAKE_KEY: "made-up-for-a-test",
    };
    const sessions = await (isHere ? SessionBoard.startHere(environment) : SessionBoard.start(environment));
    board = new CodexBoard(sessions, api, folder);
    board.configure();
    return board;
  }

  get server() {
    return this.sessions.server;
  }

  /** As a person has it. */
  get home(): string {
    return join(this.server.home, ".codex");
  }

  private reply(request: ResponsesRequest, headers: Headers): Reply {
    this.originators.add(headers.get("originator") ?? "");
    // What a subagent is told to do is no message of a person's.
    const texts = JSON.stringify(request.input);
    const name = [...this.scripts.keys()].find((key) => texts.includes(key));
    if (name === undefined) return "Nothing was written down for this.";
    this.asked.set(name, request);
    return this.scripts.get(name)?.shift() ?? "The script is over.";
  }

  /** From the next start of an agent on; everything that Codex asks at its first start has been answered there. */
  configure({ trusted = true, hasModel = true, hasMcpServer = false }: Configuration = {}) {
    const { path } = this.sessions.board.repository;
    const provider = [
      `model = "${MODEL}"`,
      'model_provider = "fake"',
      "[model_providers.fake]",
      'name = "fake"',
      `base_url = "http://127.0.0.1:${this.api.port}/v1"`,
      'env_key = "FAKE_KEY"',
      'wire_api = "responses"',
    ];
    const mcpServer = [
      "[mcp_servers.lab]",
      `command = ${JSON.stringify(process.execPath)}`,
      `args = [${JSON.stringify(join(import.meta.dir, "mcp-server-child.ts"))}]`,
    ];
    const lines = [
      "check_for_update_on_startup = false",
      ...(hasModel ? provider : []),
      ...(trusted ? [`[projects."${path}"]`, 'trust_level = "trusted"'] : []),
      "[notice]",
      "hide_rate_limit_model_nudge = true",
      ...(hasMcpServer ? mcpServer : []),
    ];
    mkdirSync(this.home, { recursive: true });
    writeFileSync(join(this.home, "config.toml"), `${lines.join("\n")}\n`);
  }

  /** Replaces it by a script that does this before it becomes the real one. */
  replace(first: string) {
    const path = join(this.folder.path, "codex");
    const script = `#!/bin/sh\n${first}\nexec ${agentProgram("codex")} "$@"\n`;
    rmSync(path);
    writeFileSync(path, script, { mode: 0o755 });
  }

  /** How much of what was written down has not been said yet. */
  left = (title: string) => this.scripts.get(title)?.length;

  /** What the model says next to the task of this title. */
  script(title: string, replies: Reply[]) {
    this.scripts.set(title, replies);
  }

  /** A task of this title, started, and followed from before. */
  async run(title: string, replies: Reply[], fields: Record<string, unknown> = {}): Promise<CodexRun> {
    this.script(title, replies);
    const task = await this.sessions.board.addTask({ title, status: "active", agent: "codex", ...fields });
    const run = await this.follow(task.id);
    expect((await this.sessions.act(task.id, "start")).status).toBe(202);
    return run;
  }

  async follow(taskId: string): Promise<CodexRun> {
    return new CodexRun(this, taskId, await this.server.events());
  }

  /** The files in which Codex keeps conversations. */
  conversations = (): string[] =>
    readdirSync(join(this.home, "sessions"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".jsonl"),
    );

  async [Symbol.asyncDispose](): Promise<void> {
    this.api.stop(true);
    this.folder[Symbol.dispose]();
    await this.sessions[Symbol.asyncDispose]();
  }
}
