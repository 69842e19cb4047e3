import { rmSync } from "node:fs";
import { join } from "node:path";
import { ESC } from "../../support/claude-board.ts";
import { CodexBoard } from "../../support/codex-board.ts";
import { type Reply, shell } from "../../support/responses-api.ts";
import type { Matrix, Variant } from "../scenario.ts";
import { commonTurns } from "./common.ts";
import { lives } from "./lives.ts";

const open = ({ version }: Variant) => CodexBoard.start({ version });
const DIALOG = /Would you like to run/;
const allow = (run: Parameters<Parameters<typeof lives<Reply, Variant>>[0]["allow"]>[0]) =>
  run.answerDialog(DIALOG, "y");

const TURNS = commonTurns<Reply>({
  command: (command) => shell(command),
  harmless: [shell("ls", false), { tool: "update_plan", input: { plan: [] } }],
  question(text) {
    const options = ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` }));
    const questions = [{ id: "colour", header: "Colour", question: text, options }];
    return { tool: "request_user_input", input: { questions } };
  },
  thinking: { begin: "I muse about" },
  limit: {
    status: 429,
    error: {
      type: "usage_limit_reached",
      plan_type: "plus",
      resets_at: Math.floor(Date.now() / 1_000) + 3_600,
    },
  },
  dialog: DIALOG,
  allow,
  async interrupt(run) {
    await run.sees(/I muse about/);
    await run.keys(ESC);
  },
  // It asks questions in plan mode only.
  async beforeQuestion({ run }) {
    await run.keys("/plan");
    await run.sees(/\/plan +switch to Plan|› \/plan/);
    await run.keys("\r");
    await run.sees(/Plan mode/);
  },
});

const LIVES = lives<Reply, Variant>({
  open,
  asks: shell("touch made"),
  resumed: "idle",
  allow,
  forget({ board }) {
    if (!(board instanceof CodexBoard)) return;
    for (const name of board.conversations()) rmSync(join(board.home, "sessions", name));
  },
});

export const CODEX: Matrix<Reply, Variant> = {
  agent: "codex",
  variants: (version) => [{ version, label: "trusted repository" }],
  open,
  scenarios: [
    ...TURNS,
    {
      name: "nobody is logged in",
      async own(variant) {
        const board = await open(variant);
        board.configure({ hasModel: false });
        return board;
      },
      act: (talk) => talk.is("trouble"),
      expect: () => ({ states: ["working", "trouble"], reason: /not logged in/ }),
      shown: [/Welcome to Codex|Sign in/, "trouble"],
    },
    ...LIVES,
  ],
};
