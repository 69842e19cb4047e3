import { rmSync } from "node:fs";
import { join } from "node:path";
import { ESC } from "../../support/claude-board.ts";
import { GEMINI } from "../../support/gemini.ts";
import type { Reply } from "../../support/messages-api.ts";
import { ScriptedBoard } from "../../support/scripted-board.ts";
import type { TaskRun } from "../../support/task-run.ts";
import { choose } from "../choose.ts";
import type { Matrix, Variant } from "../scenario.ts";
import { commonTurns } from "./common.ts";
import { lives } from "./lives.ts";

const open = ({ version }: Variant) => ScriptedBoard.start(GEMINI, { version });
const DIALOG = /Allow execution/;
/** It asks for what writes into a file. */
const shell = (command: string): Reply => ({ tool: "run_shell_command", input: { command } });
const allow = (run: TaskRun) => choose(run, DIALOG, /Allow once/);

const TURNS = commonTurns<Reply>({
  command: shell,
  harmless: [shell("echo one"), { tool: "read_file", input: { file_path: "README.md" } }],
  question(text) {
    const options = ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` }));
    return {
      tool: "ask_user",
      input: { questions: [{ question: text, header: "Colour", type: "choice", options }] },
    };
  },
  thinking: { begin: "I begin" },
  limit: { status: 429, error: "RESOURCE_EXHAUSTED", message: "You exceeded your quota" },
  dialog: DIALOG,
  allow,
  // Refusing ends the turn, and the words are the next prompt.
  denied: ["working", "permission", "working", "idle", "working", "finished"],
  async interrupt(run) {
    await run.sees(/esc to cancel/);
    await run.keys(ESC);
  },
});

const LIVES = lives<Reply, Variant>({
  open,
  asks: shell("touch made"),
  resumed: "finished",
  allow,
  forget: ({ board }) => rmSync(join(board.server.home, ".gemini", "tmp"), { recursive: true }),
});

export const GEMINI_CLI: Matrix<Reply, Variant> = {
  agent: "gemini",
  variants: (version) => [{ version, label: "trusted repository" }],
  open,
  scenarios: [
    ...TURNS,
    {
      // It starts once more, which its recorder takes for the end.
      isPartial: true,
      name: "a repository that nobody has trusted yet",
      replies: ["I am here."],
      async own(variant) {
        const board = await open(variant);
        rmSync(join(board.server.home, ".gemini", "trustedFolders.json"));
        return board;
      },
      async act(talk) {
        await talk.is("question");
        await choose(talk.run, /trust the files|Trust folder/, /Trust folder/);
        await talk.is("finished");
      },
      expect: () => ({ states: ["working", "question", "working", "finished"], reason: /trust this folder/ }),
    },
    {
      name: "a key that isn't accepted",
      replies: [{ status: 400, error: "INVALID_ARGUMENT", message: "API key not valid." }],
      own: open,
      act: (talk) => talk.is("trouble"),
      expect: () => ({ states: ["working", "trouble"], reason: /\/auth/ }),
    },
    ...LIVES,
  ],
};
