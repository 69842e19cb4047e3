// What happens in Claude Code's terminal between a prompt and the next one, without a question.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ESC } from "../../../support/claude-board.ts";
import type { Reply } from "../../../support/messages-api.ts";
import { leaveDialog } from "../../choose.ts";
import type { Talk } from "../../scenario.ts";
import { type ClaudeScenario, openClaude } from "./variants.ts";

const BETWEEN_KEYS_MS = 250;
const LEFT = "\x1b[D";

const bash = (command: string, more: object = {}): Reply => ({
  ...{ tool: "Bash", check: "passed" },
  input: { command, description: "Do it", ...more },
});

const touch = ({ run }: Talk<Reply>, name: string) =>
  writeFileSync(join(run.task.worktreePath ?? "", name), "");

export const TURNS: ClaudeScenario[] = [
  {
    name: "at work, and the turn is over",
    replies: ["Said."],
    act: (talk) => talk.is("finished"),
    expect: () => ({ states: ["working", "finished"] }),
    shown: [/Said\./, "finished"],
  },
  {
    name: "several tools",
    replies: [
      { say: "First.", tools: [{ tool: "Read", input: { file_path: "README.md" } }] },
      bash("ls"),
      bash("pwd"),
      "Used.",
    ],
    act: (talk) => talk.is("finished"),
    expect: () => ({ states: ["working", "finished"] }),
  },
  {
    name: "Esc in the middle of a turn",
    replies: [{ begin: "I am thinking\n\nand thinking" }],
    act: async (talk) => {
      await talk.run.sees(/I am thinking/);
      await talk.run.keys(ESC);
      await talk.run.until(({ activity }) => talk.steps.length > 1 && activity?.kind !== "working", "an end");
    },
    expect: () => ({ states: ["working", "idle"], reason: /^Interrupted/ }),
    shown: [/Interrupted/, "idle"],
  },
  {
    name: "! and a command of one's own",
    act: async (talk) => {
      await talk.run.keys("!");
      await talk.run.sees(/! for (shell|bash) mode|^!/m);
      await talk.run.keys("until [ -e stop-it ]; do sleep 0.05; done", "\r");
      await talk.is("working");
      touch(talk, "stop-it");
      await talk.is("finished");
    },
    expect: () => ({ states: ["working", "finished"] }),
  },
  {
    name: "a shell that outlives its turn, until it ends",
    replies: [
      bash("until [ -e end-it ]; do sleep 0.05; done", { run_in_background: true }),
      "Begun.",
      "Ended.",
    ],
    act: async (talk) => {
      await talk.is("background");
      touch(talk, "end-it");
      await talk.run.sees(/Ended\./);
      await talk.is("finished");
    },
    expect: () => ({ states: ["working", "background", "working", "finished"] }),
  },
  {
    name: "← at an empty prompt, and a prompt after it",
    act: async (talk) => {
      const { agentSessionId } = talk.run.task;
      await talk.run.keys(LEFT);
      await Bun.sleep(500);
      await talk.say("Play along after a key", ["Still here."]);
      await talk.run.sees(/Still here\./);
      await talk.is("finished");
      if (talk.run.task.agentSessionId !== agentSessionId) throw new Error("it is another conversation");
    },
    expect: () => ({ states: ["working", "finished"] }),
  },
  {
    name: "/compact",
    act: async (talk) => {
      await talk.say("/compact", ["A summary."]);
      await talk.is("working");
      await talk.is("finished");
    },
    expect: () => ({ states: ["working", "finished"] }),
  },
  {
    name: "/clear",
    act: async (talk) => {
      const { agentSessionId } = talk.run.task;
      await talk.say("/clear", []);
      await talk.run.until((row) => row.agentSessionId !== agentSessionId, "another conversation");
      await talk.is("idle");
    },
    expect: ({ hasHooks }) =>
      hasHooks ? { states: ["idle"], reason: /cleared/ } : { states: ["working", "idle"], isUnknown: true },
  },
  {
    name: "leaving with a shell in the background asks what becomes of it",
    replies: [bash("sleep 1000", { run_in_background: true }), "Begun."],
    own: openClaude,
    act: async (talk) => {
      await talk.is("background");
      await leave(talk);
      await talk.is("question");
      await leaveDialog(talk.run, /Background work is running/);
      await talk.is("background");
    },
    expect: () => ({
      states: ["working", "background", "question", "background"],
      reason: /Background work/,
    }),
    shown: [/Background work is running/, "question"],
  },
];

/** The second ^C counts for a moment only after the first; a third would answer what the second has asked. */
async function leave({ run }: Talk<Reply>): Promise<void> {
  const isAsked = async () => /Background work is running/.test(await run.screen());
  for (let tries = 0; tries < 5; tries += 1) {
    await run.keys("\x03");
    await Bun.sleep(BETWEEN_KEYS_MS);
    await run.keys("\x03");
    const pressed = performance.now();
    while (performance.now() - pressed < 5_000) if (await isAsked()) return;
  }
  throw new Error("it never asked what becomes of the shell");
}
