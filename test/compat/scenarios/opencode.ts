import { rmSync } from "node:fs";
import { join } from "node:path";
import { ESC } from "../../support/claude-board.ts";
import type { Reply } from "../../support/messages-api.ts";
import { OPENCODE } from "../../support/opencode.ts";
import { ScriptedBoard } from "../../support/scripted-board.ts";
import type { TaskRun } from "../../support/task-run.ts";
import type { Matrix, Variant } from "../scenario.ts";
import { commonTurns } from "./common.ts";
import { lives } from "./lives.ts";

const open = ({ version }: Variant) => ScriptedBoard.start(OPENCODE, { version });
const DIALOG = /Permission required/;
const bash = (command: string): Reply => ({ tool: "bash", input: { command, description: "Do it" } });
const allow = (run: TaskRun) => run.answerDialog(DIALOG, "\r");

/** Twice, the second time within a while of the first. */
async function interrupt(run: TaskRun) {
  await run.keys(ESC);
  await run.sees(/esc again/);
  await run.keys(ESC);
}

const TURNS = commonTurns<Reply>({
  command: bash,
  harmless: [
    { tool: "read", input: { filePath: "README.md" } },
    { tool: "glob", input: { pattern: "*" } },
  ],
  question(text) {
    const options = ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` }));
    return { tool: "question", input: { questions: [{ question: text, header: "Colour", options }] } };
  },
  thinking: { begin: "I begin" },
  limit: {
    ...{ status: 429, error: "rate_limit_exceeded", message: "Rate limit reached for requests" },
    headers: { "retry-after": "3600" },
  },
  dialog: DIALOG,
  allow,
  async interrupt(run) {
    await run.sees(/I begin/);
    await interrupt(run);
  },
});

const LIVES = lives<Reply, Variant>({
  open,
  asks: bash("touch made"),
  resumed: "idle",
  allow,
  forget: ({ board }) => rmSync(join(board.server.home, ".local", "share", "opencode"), { recursive: true }),
});

export const OPEN_CODE: Matrix<Reply, Variant> = {
  agent: "opencode",
  variants: (version) => [{ version, label: "asks for commands and edits" }],
  open,
  scenarios: [
    ...TURNS,
    {
      name: "a key that isn't accepted",
      replies: [{ status: 401, error: "invalid_api_key", message: "Incorrect API key" }],
      own: open,
      act: (talk) => talk.is("trouble"),
      expect: () => ({ states: ["working", "trouble"], reason: /opencode auth login/ }),
    },
    ...LIVES,
  ],
};
