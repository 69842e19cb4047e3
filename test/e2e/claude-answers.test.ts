// The real Claude Code, answered and prompted from the page.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../support/browser.ts";
import { BEGUN } from "../support/claude-board.ts";
import { ClaudeScene } from "../support/claude-scene.ts";
import { said } from "../support/messages-api.ts";

const browser = withBrowser();

/** All a session goes through that is asked one thing and then ends its turn. */
const asked = (kind: "permission" | "question") => [
  ...BEGUN,
  `waiting_for_input ${kind}` as const,
  "running working" as const,
  "waiting_for_input finished" as const,
];

test("allowed on its card, by the key it names: the command runs, the turn ends, the figures show", async () => {
  await using scene = await ClaudeScene.open(browser);
  const { tab, board } = scene;
  const run = await scene.run("Make a file", [
    { tool: "Bash", input: { command: "touch made-by-claude", description: "Makes it" } },
    "It is made.",
  ]);
  await run.is("permission");
  await tab.expectState("Make a file", "Needs permission");
  await tab.card("Make a file").getByText("touch made-by-claude").waitFor();
  await scene.seen();
  await tab.card("Make a file").focus();
  await tab.press("a");
  await run.is("finished");
  await tab.expectState("Make a file", "Turn finished");
  await tab.card("Make a file").getByText("It is made.").waitFor();
  expect(existsSync(join(run.task.worktreePath ?? "", "made-by-claude"))).toBe(true);
  expect(run.history).toEqual(asked("permission"));
  await tab.card("Make a file").locator("[data-gauges]", { hasText: "$" }).waitFor();
  expect(board.asked.size).toBe(1);
});

test("denied on its card, by the key it names, with a message", async () => {
  await using scene = await ClaudeScene.open(browser);
  const { tab, board } = scene;
  const run = await scene.run("Leave it be", [{ tool: "Bash", input: { command: "touch denied" } }, "Left."]);
  await run.is("permission");
  await tab.expectState("Leave it be", "Needs permission");
  await scene.seen();
  await tab.card("Leave it be").focus();
  await tab.press("d");
  await tab.type("Not now");
  await tab.press("Enter");
  await run.is("finished");
  await tab.expectState("Leave it be", "Turn finished");
  expect(run.history).toEqual(asked("permission"));
  expect(existsSync(join(run.task.worktreePath ?? "", "denied"))).toBe(false);
  expect(JSON.stringify(board.asked.get("Leave it be")?.messages.at(-1))).toContain("Not now");
});

test("denied in the panel with a message, which Claude reads", async () => {
  await using scene = await ClaudeScene.open(browser);
  const { tab, board } = scene;
  const run = await scene.run("Write it", [
    { tool: "Write", input: { file_path: "denied.txt", content: "one\ntwo\n" } },
    "Then not.",
  ]);
  await run.is("permission");
  await tab.expectState("Write it", "Needs permission");
  await tab.card("Write it").click({ position: { x: 40, y: 12 } });
  const panel = tab.panel();
  await panel.getByRole("region", { name: "Full request" }).getByText("+two").waitFor();
  await scene.seen();
  await panel.getByRole("button", { name: "Deny" }).click();
  await tab.type("Use another name");
  await tab.press("Enter");
  await run.is("finished");
  await tab.expectState("Write it", "Turn finished");
  expect(run.history).toEqual(asked("permission"));
  expect(existsSync(join(run.task.worktreePath ?? "", "denied.txt"))).toBe(false);
  const results = JSON.stringify(board.asked.get("Write it")?.messages.at(-1));
  expect(results).toContain("Use another name");
});

test("answered in the terminal first, the card lets go of it by itself", async () => {
  await using scene = await ClaudeScene.open(browser);
  const { tab } = scene;
  const run = await scene.run("Ask in the terminal", [
    { tool: "Bash", input: { command: "touch from-the-terminal" } },
    "Done there.",
  ]);
  await run.is("permission");
  await tab.expectState("Ask in the terminal", "Needs permission");
  await run.sees(/1\. Yes/);
  await run.keys("\r");
  await run.is("finished");
  await tab.expectState("Ask in the terminal", "Turn finished");
  expect(await tab.page.locator("[data-ask]").count()).toBe(0);
  expect(run.history).toEqual(asked("permission"));
  expect(existsSync(join(run.task.worktreePath ?? "", "from-the-terminal"))).toBe(true);
});

test("a question is answered by the button of one of its options", async () => {
  await using scene = await ClaudeScene.open(browser);
  const { tab, board } = scene;
  const options = ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` }));
  const questions = [{ question: "Which colour?", header: "Colour", multiSelect: false, options }];
  const run = await scene.run("Paint it", [{ tool: "AskUserQuestion", input: { questions } }, "Painted."]);
  await run.is("question");
  await tab.expectState("Paint it", "Has a question");
  await scene.seen();
  await tab.card("Paint it").getByRole("button", { name: "Blue" }).click();
  await run.is("finished");
  await tab.expectState("Paint it", "Turn finished");
  expect(run.history).toEqual(asked("question"));
  expect(JSON.stringify(board.asked.get("Paint it")?.messages.at(-1))).toContain("Blue");
});

test("the next prompt goes to it exactly as typed, in several lines; a reload keeps what is not sent", async () => {
  await using scene = await ClaudeScene.open(browser);
  const { tab, board } = scene;
  const run = await scene.run("Talk to me", ["First reply.", "Second reply."]);
  await run.is("finished");
  await tab.expectState("Talk to me", "Turn finished");
  await tab.card("Talk to me").focus();
  await tab.press("i");
  await tab.type("  - one `two`");
  await tab.press("Shift+Enter");
  await tab.type("$three \\four");
  await tab.page.reload();
  const field = tab.card("Talk to me").getByRole("textbox", { name: "Next prompt" });
  await field.waitFor();
  expect(await field.inputValue()).toBe("  - one `two`\n$three \\four");
  await field.press("Enter");
  await run.until(({ lastReply }) => lastReply === "Second reply.", "the second reply");
  await tab.card("Talk to me").getByText("Second reply.").waitFor();
  expect(await field.inputValue()).toBe("");
  const request = board.asked.get("Talk to me");
  expect(request && said(request)).toContain("  - one `two`\n$three \\four");
});
