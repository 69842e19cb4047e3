// What the real Claude Code asks, answered from the board or in its terminal: whoever is first wins. All in one
// conversation, a turn for each test.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_VERSIONS } from "../../host/support/claude.ts";
import { expectFailure } from "../../support/board.ts";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";
import { Conversation } from "./support/conversation.ts";

setDefaultTimeout(90_000);

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  let board: ClaudeBoard;
  let talk: Conversation;
  beforeAll(async () => {
    board = await ClaudeBoard.start({}, { version, isHere: true });
    talk = await Conversation.start(board, "Ask me this and that", ["What is to be done?"]);
    await talk.is("finished");
  });
  afterAll(async () => {
    await talk[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });

  const bash = (command: string, description = "Do it") => ({
    tool: "Bash",
    input: { command, description },
  });
  const inWorktree = (name: string) => join(talk.run.task.worktreePath ?? "", name);
  const ASKED = ["running working", "waiting_for_input permission"] as const;
  const GONE_ON = [...ASKED, "running working", "waiting_for_input finished"] as const;

  test("a permission allowed from the board", async () => {
    const { run } = talk;
    expect(talk.steps).toEqual([...BEGUN, "waiting_for_input finished"]);
    await talk.say("Make a file", [bash("touch made && echo ok", "Make it"), "It is made."]);
    const task = await talk.is("permission");
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
    expectFailure(await run.answer({ ask: "another", decision: "allow" }), "conflict", "already answered");
    expect((await run.answer({ decision: "allow" })).status).toBe(204);
    expectFailure(await run.answer({ ask, decision: "deny" }), "conflict", "already answered");
    await talk.is("finished");
    expect(existsSync(inWorktree("made"))).toBe(true);
    await run.sees(/Allowed by PermissionRequest hook/);
    expect(talk.steps).toEqual([...GONE_ON]);
  });

  test("always allows for the rest of the session, and writes nothing into the repository", async () => {
    const { run } = talk;
    await talk.say("Make two files", [
      bash("rm -f nothing && touch one"),
      bash("rm -f nothing && touch one"),
      "Both are made.",
    ]);
    const { asks } = await talk.is("permission");
    expect(asks?.always).toMatch(/, for the rest of this session$/);
    expect((await run.answer({ decision: "always" })).status).toBe(204);
    await talk.is("finished");
    expect(talk.steps).toEqual([...GONE_ON]);
    expect(existsSync(inWorktree(".claude/settings.local.json"))).toBe(false);
  });

  test("what would let an agent answer for its person is not read, and nobody is asked", async () => {
    const { dataDir } = board.server;
    const agents = join(dataDir, "agents.toml");
    const before = existsSync(agents) && readFileSync(agents, "utf8");
    const token = join(dataDir, "token");
    const read = (file_path: string) => ({ tool: "Read", input: { file_path } });
    await talk.say("Read the token", [
      read(token),
      read(join(dataDir, "banto.db")),
      bash(`cat ${token}`),
      bash(`curl --unix-socket ${join(dataDir, "run/any.sock")} http://x/`),
      { tool: "Write", input: { file_path: agents, content: "[agents.own]\n" } },
      "I may not.",
    ]);
    await talk.is("finished");
    expect(talk.steps).toEqual(["running working", "waiting_for_input finished"]);
    const heard = JSON.stringify(board.asked.get("Ask me this and that")?.messages);
    expect(heard).not.toContain(readFileSync(token, "utf8").trim());
    expect(existsSync(agents) && readFileSync(agents, "utf8")).toBe(before);
  });

  test("one denied with a message, which the model gets to hear", async () => {
    const { run } = talk;
    await talk.say("Write a file", [
      { tool: "Write", input: { file_path: "/etc/made-by-claude", content: "one\ntwo\n" } },
      "Then I leave it.",
    ]);
    const { asks } = await talk.is("permission");
    expect(asks).toMatchObject({
      tool: "Write",
      summary: "Write /etc/made-by-claude",
      detail: "+++ /etc/made-by-claude\n+one\n+two",
    });
    expect((await run.answer({ decision: "deny", message: "Not in /etc, please." })).status).toBe(204);
    const task = await talk.is("finished");
    expect(task.lastReply).toBe("Then I leave it.");
    expect(talk.asked()).toContain("Not in /etc, please.");
    expect(talk.steps).toEqual([...GONE_ON]);
  });

  test("one answered in the terminal clears the board's, long before the tool has run", async () => {
    const { run } = talk;
    await talk.say("Wait for a file", [
      bash("until [ -e go ]; do sleep 0.05; done; touch gone"),
      "It is there.",
    ]);
    const { asks } = await talk.is("permission");
    await run.answerDialog(/1\. Yes/, "\r");
    const task = await talk.is("working");
    expect(task.asks).toBeNull();
    expectFailure(await run.answer({ ask: asks?.id, decision: "allow" }), "conflict", "already answered");
    writeFileSync(inWorktree("go"), "");
    await talk.is("finished");
    expect(talk.steps).toEqual([...GONE_ON]);
  });

  test("one called off with Esc leaves it idle", async () => {
    const { run } = talk;
    await talk.say("Ask and be called off", [bash("touch never")]);
    await talk.is("permission");
    await run.answerDialog(/1\. Yes/, ESC);
    const task = await talk.is("idle");
    expect(task).toMatchObject({ asks: null, activity: { reason: "Interrupted." } });
    expect(talk.steps).toEqual([...ASKED, "waiting_for_input idle"]);
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
    const { run } = talk;
    await talk.say("Ask me something", [
      { tool: "AskUserQuestion", input: { questions: [question("Which colour?")] } },
      "Blue it is.",
    ]);
    const task = await talk.is("question");
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
    expectFailure(
      await run.answer({ decision: "allow", answers: { Other: "x" } }),
      "invalid",
      "nobody asked",
    );
    expect((await run.answer({ decision: "allow", answers: { "Which colour?": "Blue" } })).status).toBe(204);
    await talk.is("finished");
    expect(talk.asked()).toMatch(/Which colour\?.{0,20}Blue/);
    expect(talk.steps).toEqual([
      "running working",
      "waiting_for_input question",
      "running working",
      "waiting_for_input finished",
    ]);
  });

  test("stopped in the middle of a question", async () => {
    await talk.say("Ask and be stopped", [bash("touch x")]);
    await talk.is("permission");
    expect((await board.sessions.act(talk.run.id, "stop")).status).toBe(202);
    await talk.run.ended();
    expect(talk.steps).toEqual([...ASKED, "failed"]);
  });
});
