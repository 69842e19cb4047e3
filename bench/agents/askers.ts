// The four agents on boards of their own, each with a scripted model that makes it ask before it runs a command.
import { ClaudeBoard } from "../../test/support/claude-board.ts";
import { CodexBoard } from "../../test/support/codex-board.ts";
import { GEMINI } from "../../test/support/gemini.ts";
import { OPENCODE } from "../../test/support/opencode.ts";
import { shell } from "../../test/support/responses-api.ts";
import { ScriptedBoard } from "../../test/support/scripted-board.ts";
import type { TestServer } from "../../test/support/server.ts";
import type { TaskRun } from "../../test/support/task-run.ts";

interface AskingBoard extends AsyncDisposable {
  server: TestServer;
  /** A task whose agent is told to make these files one after the other, and asks before each. */
  make(title: string, files: string[]): Promise<TaskRun>;
}

export interface Asker {
  name: string;
  /** It tells by something else than its terminal, so the card needn't be later than the dialog. */
  hasChannel: boolean;
  start(): Promise<AskingBoard>;
}

const DONE = "All of them are made.";

function asking<Said>(
  board: AsyncDisposable & {
    server: TestServer;
    run(title: string, replies: (Said | string)[]): Promise<TaskRun>;
  },
  reply: (file: string) => Said,
): AskingBoard {
  return {
    server: board.server,
    make: (title, files) => board.run(title, [...files.map(reply), DONE]),
    [Symbol.asyncDispose]: () => board[Symbol.asyncDispose](),
  };
}

/** A redirection, because Gemini runs the likes of `touch` without asking. */
const command = (file: string) => `echo made > ${file}`;
const call = (tool: string) => (file: string) => ({
  tool,
  input: { command: command(file), description: "Make a file" },
});

export const ASKERS: Asker[] = [
  {
    name: "Claude Code",
    hasChannel: true,
    start: async () => asking(await ClaudeBoard.start(), call("Bash")),
  },
  {
    name: "Codex",
    hasChannel: true,
    start: async () => asking(await CodexBoard.start(), (file) => shell(command(file))),
  },
  {
    name: "OpenCode",
    hasChannel: true,
    start: async () => asking(await ScriptedBoard.start(OPENCODE), call("bash")),
  },
  {
    name: "Gemini CLI",
    hasChannel: false,
    start: async () => asking(await ScriptedBoard.start(GEMINI), call("run_shell_command")),
  },
];
