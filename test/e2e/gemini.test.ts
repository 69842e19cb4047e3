// The real Gemini CLI, answered from the page.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DESK, withBrowser } from "../support/browser.ts";
import { BEGUN } from "../support/claude-board.ts";
import { GEMINI } from "../support/gemini.ts";
import { ScriptedBoard } from "../support/scripted-board.ts";
import { beSeen } from "../support/seen.ts";

const browser = withBrowser();

test("Gemini CLI's request is on its card and allowed there; its reply and figures follow", async () => {
  await using board = await ScriptedBoard.start(GEMINI, { isHere: true });
  await using visitor = await browser.stranger(board.server, DESK);
  const tab = await visitor.signIn();
  await using run = await board.run("Make a file", [
    { tool: "run_shell_command", input: { command: "touch made-by-gemini" } },
    "It is made.",
  ]);
  await run.is("permission");
  await tab.expectState("Make a file", "Needs permission");
  const card = tab.card("Make a file");
  await card.getByText("touch made-by-gemini").waitFor();
  await beSeen(tab);
  await card.focus();
  await tab.press("a");
  await run.is("finished");
  await tab.expectState("Make a file", "Turn finished");
  await card.getByText("It is made.").waitFor();
  await card.locator("[data-gauges]", { hasText: "%" }).waitFor();
  expect(run.history).toEqual([
    ...BEGUN,
    "waiting_for_input permission",
    "running working",
    "waiting_for_input finished",
  ]);
  expect(existsSync(join(run.task.worktreePath ?? "", "made-by-gemini"))).toBe(true);
}, 180_000);
