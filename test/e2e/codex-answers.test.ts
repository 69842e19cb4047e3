// The real Codex, answered and prompted from its card.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../support/browser.ts";
import { CodexBoard } from "../support/codex-board.ts";
import { shell } from "../support/responses-api.ts";
import { beSeen } from "../support/seen.ts";

const browser = withBrowser();

test("allowed by the key its card names, then denied with words, then prompted; its figures show", async () => {
  await using board = await CodexBoard.start({ isHere: true });
  await using visitor = await browser.stranger(board.server);
  const tab = await visitor.signIn();
  await using run = await board.run("Make a file", [shell("touch made-by-codex"), "It is made."]);
  const card = tab.card("Make a file");

  await run.is("permission");
  await tab.expectState("Make a file", "Needs permission");
  await card.getByText("touch made-by-codex", { exact: true }).waitFor();
  await beSeen(tab);
  await card.focus();
  await tab.press("a");
  await run.is("finished");
  await tab.expectState("Make a file", "Turn finished");
  await card.getByText("It is made.").waitFor();
  expect(existsSync(join(run.task.worktreePath ?? "", "made-by-codex"))).toBe(true);
  await card.locator("[data-gauges]", { hasText: "%" }).waitFor();

  board.script("Make a file", [shell("touch another"), "Then not."]);
  await card.focus();
  await tab.press("i");
  await tab.type("Now another");
  await tab.press("Enter");
  await run.is("permission");
  await tab.expectState("Make a file", "Needs permission");
  await card.getByText("touch another", { exact: true }).waitFor();
  await beSeen(tab);
  await card.focus();
  await tab.press("d");
  await tab.type("Not here");
  await tab.press("Enter");
  await run.is("finished");
  await tab.expectState("Make a file", "Turn finished");
  expect(existsSync(join(run.task.worktreePath ?? "", "another"))).toBe(false);
});
