// What the real Claude Code asks, answered from the board or in its terminal: whoever is first wins.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure } from "../../support/board.ts";
import { BEGUN, ClaudeBoard, type ClaudeRun, ESC } from "../../support/claude-board.ts";

setDefaultTimeout(90_000);

let board: ClaudeBoard;
beforeAll(async () => {
  board = await ClaudeBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

const bash = (command: string, description = "Do it") => ({ tool: "Bash", input: { command, description } });
const inWorktree = ({ task }: ClaudeRun, name: string) => join(task.worktreePath ?? "", name);
const ASKED = [...BEGUN, "waiting_for_input permission"] as const;
const GONE_ON = [...ASKED, "running working", "waiting_for_input finished"] as const;

test("a permission allowed from the board", async () => {
  await using run = await board.run("Make a file", [bash("touch made && echo ok", "Make it"), "It is made."]);
  const task = await run.is("permission");
  expect(task).toMatchObject({
    sessionStatus: "waiting_for_input",
    activity: { reason: "touch made && echo ok" },
    asks: {
      tool: "Bash",
      summary: "touch made && echo ok",
      detail: "touch made && echo ok\n\n# Make it",
      questions: null,
      canAnswer: true,
    },
  });
  const ask = task.asks?.id;
  expectFailure(await run.answer({ decision: "maybe" }), "invalid", "decision");
  expectFailure(await run.answer({ ask: "another", decision: "allow" }), "conflict", "answered already");
  expect((await run.answer({ decision: "allow" })).status).toBe(204);
  expectFailure(await run.answer({ ask, decision: "deny" }), "conflict", "answered already");
  await run.is("finished");
  expect(existsSync(inWorktree(run, "made"))).toBe(true);
  await run.sees(/Allowed by PermissionRequest hook/);
  expect(run.history).toEqual([...GONE_ON]);
});

test("always allows for the rest of the session, and writes nothing into the repository", async () => {
  await using run = await board.run("Make two files", [
    bash("rm -f nothing && touch one"),
    bash("rm -f nothing && touch one"),
    "Both are made.",
  ]);
  const { asks } = await run.is("permission");
  expect(asks?.always).toMatch(/, for the rest of this session$/);
  expect((await run.answer({ decision: "always" })).status).toBe(204);
  await run.is("finished");
  expect(run.history).toEqual([...GONE_ON]);
  expect(existsSync(inWorktree(run, ".claude/settings.local.json"))).toBe(false);
});

test("one denied with a message, which the model gets to hear", async () => {
  await using run = await board.run("Remove a file", [
    { tool: "Write", input: { file_path: "/etc/made-by-claude", content: "one\ntwo\n" } },
    "Then I leave it.",
  ]);
  const { asks } = await run.is("permission");
  expect(asks).toMatchObject({
    tool: "Write",
    summary: "Write /etc/made-by-claude",
    detail: "+++ /etc/made-by-claude\n+one\n+two",
  });
  expect((await run.answer({ decision: "deny", message: "Not in /etc, please." })).status).toBe(204);
  const task = await run.is("finished");
  expect(task.lastReply).toBe("Then I leave it.");
  expect(JSON.stringify(board.asked.get("Remove a file"))).toContain("Not in /etc, please.");
  expect(run.history).toEqual([...GONE_ON]);
});

test("one answered in the terminal clears the board's, long before the tool has run", async () => {
  await using run = await board.run("Wait for a file", [
    bash("until [ -e go ]; do sleep 0.05; done; touch gone"),
    "It is there.",
  ]);
  const { asks } = await run.is("permission");
  await run.sees(/1\. Yes/);
  await run.keys("\r");
  const task = await run.is("working");
  expect(task.asks).toBeNull();
  expectFailure(await run.answer({ ask: asks?.id, decision: "allow" }), "conflict", "answered already");
  writeFileSync(inWorktree(run, "go"), "");
  await run.is("finished");
  expect(run.history).toEqual([...GONE_ON]);
});

test("one called off with Esc leaves it idle", async () => {
  await using run = await board.run("Ask and be called off", [bash("touch never")]);
  await run.is("permission");
  await run.sees(/1\. Yes/);
  await run.keys(ESC);
  const task = await run.is("idle");
  expect(task).toMatchObject({ asks: null, activity: { reason: "Interrupted." } });
  expect(run.history).toEqual([...ASKED, "waiting_for_input idle"]);
});

test("a question with its choices, answered from the board", async () => {
  const question = (text: string, multiSelect = false) => ({
    question: text,
    header: "Which",
    multiSelect,
    options: [
      { label: "Red", description: "Warm" },
      { label: "Blue", description: "Cold" },
    ],
  });
  await using run = await board.run("Ask me something", [
    { tool: "AskUserQuestion", input: { questions: [question("Which colour?")] } },
    "Blue it is.",
  ]);
  const task = await run.is("question");
  expect(task.asks).toMatchObject({
    tool: "AskUserQuestion",
    summary: "Which colour?",
    always: null,
    questions: [
      {
        question: "Which colour?",
        header: "Which",
        multiple: false,
        options: [
          { label: "Red", description: "Warm" },
          { label: "Blue", description: "Cold" },
        ],
      },
    ],
  });
  expectFailure(await run.answer({ decision: "allow" }), "invalid", "“Which colour?” is not answered");
  expectFailure(await run.answer({ decision: "allow", answers: { Other: "x" } }), "invalid", "nobody asked");
  expect((await run.answer({ decision: "allow", answers: { "Which colour?": "Blue" } })).status).toBe(204);
  await run.is("finished");
  expect(JSON.stringify(board.asked.get("Ask me something"))).toMatch(/Which colour\?.{0,20}Blue/);
  expect(run.history).toEqual([
    ...BEGUN,
    "waiting_for_input question",
    "running working",
    "waiting_for_input finished",
  ]);
});
