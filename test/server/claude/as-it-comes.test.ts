// Claude Code as it comes out of its box, set up a moment ago: it chooses its mode, and offers what it likes.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_VERSIONS, claudeProgram, claudeSettings } from "../../host/support/claude.ts";
import { expectFailure } from "../../support/board.ts";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";
import { tempDir } from "../../support/temp.ts";

setDefaultTimeout(90_000);

/** It asks for permissions unless it is told otherwise. */
const hasAutoMode = (version: string) => version !== "2.1.197";

describe.each(CLAUDE_VERSIONS.filter(hasAutoMode))("Claude Code %s", (version) => {
  const start = () => ClaudeBoard.start({}, { version, isHere: true, isNew: true });

  test("in auto mode it asks without a word to its hooks, and is answered in its terminal", async () => {
    await using board = await start();
    const fetch = { tool: "Bash", input: { command: "curl http://127.0.0.1:1/", description: "Fetch it" } };
    await using run = await board.run("Fetch something", [fetch]);
    const unchecked = await run.until(
      ({ activity }) => activity?.reason?.includes("Auto mode can't check actions") === true,
      "that its check does not get through",
    );
    expect(unchecked.activity?.kind).toBe("question");
    await run.answerDialog(/Enter to stay in auto mode/, "\r");
    const asking = await run.is("permission");
    expect(asking).toMatchObject({ sessionStatus: "waiting_for_input", asks: null });
    expect(asking.activity?.reason).toBe("Bash: curl http://127.0.0.1:1/ (Answer in its terminal.)");
    expectFailure(await run.tryPrompt("Go on"), "conflict", "is asking something");
    await run.answerDialog(/❯ No/, "\r");
    expect((await run.is("idle")).activity?.reason).toBe("Interrupted.");
    const asked = run.history.filter((step) => step.startsWith("waiting"));
    expect(asked).toEqual([
      "waiting_for_input question",
      "waiting_for_input permission",
      "waiting_for_input idle",
    ]);
  });

  test("what it offers after its first turn takes no prompt", async () => {
    await using board = await start();
    claudeSettings(board.server.home, { permissions: { defaultMode: "default" } });
    await using run = await board.run("Offer something", ["Here you are.", "Gone on."]);
    await run.until(
      ({ activity }) => activity?.reason?.includes("“Make auto mode your default permission mode?”") === true,
      "the offer",
    );
    expect(run.task).toMatchObject({ activity: { kind: "question" }, lastReply: "Here you are." });
    expectFailure(await run.tryPrompt("Go on"), "conflict", "is asking something");
    await run.answerDialog(/Make auto mode your default/, ESC);
    await run.until(
      ({ activity }) => activity?.kind === "finished" && activity.held === undefined,
      "finished",
    );
    expect(await run.tryPrompt("Go on")).toMatchObject({ status: 204 });
    await run.until(({ lastReply }) => lastReply === "Gone on.", "the reply");
  });
});

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  test("it starts without what it doesn't know of banto's settings, and the card says so", async () => {
    using folder = tempDir("claude");
    const program = join(folder.path, "claude");
    // As if it were a version without that event.
    const edit = `sed -i 's/"StopFailure":/"NoSuchEvent":/' "$one"`;
    const find = `for one in "$@"; do [ "$before" = --settings ] && ${edit}; before=$one; done`;
    writeFileSync(program, `#!/bin/sh\n${find}\nexec ${claudeProgram(version)} "$@"\n`, { mode: 0o755 });
    await using board = await ClaudeBoard.start(
      { CLAUDE_CODE_EXECUTABLE: program },
      { version, isHere: true },
    );
    await using run = await board.run("Start without", ["I do."]);
    const { activity, lastReply } = await run.is("finished");
    expect(lastReply).toBe("I do.");
    expect(activity?.less).toContain("(hooks.NoSuchEvent)");
    expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
  });

  test("what keeps it from starting is told in its own words, or in better ones", async () => {
    await using board = await ClaudeBoard.start({}, { version, isHere: true });
    const unknown = { NoSuchEvent: [{ hooks: [{ type: "command", command: "true" }] }] };
    claudeSettings(board.server.home, { hooks: unknown });
    const { repository } = board.sessions.board;
    writeFileSync(join(repository.path, ".mcp.json"), '{"mcpServers":{"lab":{"command":"true"}}}');
    await repository.git("add", ".mcp.json");
    await repository.commit("with a server");
    await using run = await board.run("Start at all", ["I do."]);
    const first = await run.is("question");
    expect(first.activity?.reason).toBe("New MCP server found in this project: lab");
    await run.answerDialog(/New MCP server found/, "\r");
    const second = await run.until(
      ({ activity }) => activity?.reason?.includes("doesn't accept some of its settings") === true,
      "that its settings are not accepted",
    );
    expect(second.activity?.kind).toBe("question");
    await run.answerDialog(/Settings Warning/, "\r");
    await run.is("finished");
  });
});
