import { expect, test } from "bun:test";
import { join } from "node:path";
import { claudeHome, claudeProgram, scriptedApi } from "../../../host/support/claude.ts";
import { TerminalBoard } from "../../../support/terminal-board.ts";

test("Claude Code takes a text of several lines as one prompt, and submit sends it off", async () => {
  await using terminals = await TerminalBoard.start();
  using api = scriptedApi("Understood, all three lines of it.");
  const { path } = terminals.worktree;
  const { task } = await terminals.run([claudeProgram()], {
    env: {
      PATH: process.env.PATH ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      ...claudeHome(join(path, "home"), path, api.port ?? 0),
    },
  });
  const at = `/api/tasks/${task.id}/terminal`;
  const screen = async () =>
    (await terminals.server.get<{ text: string; bracketedPaste: boolean }>(`${at}/screen`)).body;
  const viewer = terminals.watch(task.id);
  await viewer.when(() => viewer.text().includes("\x1b[?2004h"), "the input box");
  const text = "first line\nsecond line\n- third line";
  const answer = await terminals.server.post(`${at}/input`, { text, submit: true });
  expect(answer.status).toBe(204);
  await viewer.sees("Understood");
  let shown = await screen();
  for (; !shown.text.includes("all three lines of it."); shown = await screen()) await Bun.sleep(50);
  expect(shown.bracketedPaste).toBe(true);
  expect(shown.text).toMatch(/first line\s+second line\s+- third line/);
}, 60_000);
