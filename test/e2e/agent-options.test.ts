import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentScene, doing } from "../support/agent-scene.ts";
import { withBrowser } from "../support/browser.ts";
import { SessionScene } from "../support/session-scene.ts";
import { tempDir } from "../support/temp.ts";

const browser = withBrowser();

/** A program that says it is an old Claude Code, where nobody is logged in. */
function oldClaude(folder: string): string {
  const path = join(folder, "claude");
  const script =
    '#!/bin/sh\n[ "$1" = --version ] && echo "1.0.3 (Claude Code)"\n[ "$1" = auth ] && echo {}\n';
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

test("a project's options are set in its settings, a task's beside its text, and both are kept", async () => {
  using folder = tempDir("claude");
  await using scene = await SessionScene.open(browser, {
    env: { CLAUDE_CODE_EXECUTABLE: oldClaude(folder.path) },
  });
  const { tab, server, board } = scene;
  scene.visitor.expectConsole(/status of 422/);
  const task = await board.addTask({ title: "Options", status: "active" });
  await tab.card("Options").waitFor();
  await tab.press("o");
  await tab.type("settings");
  await tab.press("Enter");
  const dialog = tab.dialog("Project settings");
  await dialog.getByText("Claude Code 1.0.3 is older than").waitFor();
  await dialog.getByLabel("Permissions").selectOption("plan");
  await dialog.getByLabel("Extra arguments").fill("--add-dir\n/srv/with space");
  await dialog.getByRole("switch", { name: "Notify" }).click();
  await dialog.getByLabel("Model").fill("--opus");
  await dialog.getByLabel("Model").press("Enter");
  await dialog.getByText("must be a model's name").waitFor();
  await dialog.getByLabel("Model").fill("opus");
  await dialog.getByLabel("Model").press("Enter");
  await dialog.waitFor({ state: "detached" });
  const { body } = await server.get<{ agentOptions: unknown; notify: boolean }>(
    `/api/projects/${board.project.id}`,
  );
  expect(body).toMatchObject({
    agentOptions: { model: "opus", permissionMode: "plan", extraArgs: ["--add-dir", "/srv/with space"] },
    notify: false,
  });

  await tab.card("Options").click();
  const panel = tab.panel();
  await panel.getByText("is older than").waitFor();
  await panel.locator("summary", { hasText: "Agent options" }).click();
  expect(await panel.getByLabel("Model").getAttribute("placeholder")).toBe("opus");
  await panel.getByLabel("Model").fill("sonnet");
  await panel.getByLabel("Configuration directory").fill("not/absolute");
  await panel.getByLabel("Model").focus();
  await tab.toast(/must be an absolute path/).waitFor();
  expect(await panel.getByLabel("Configuration directory").inputValue()).toBe("not/absolute");
  await panel.getByLabel("Configuration directory").fill("/srv/claude");
  await panel.getByLabel("Model").focus();
  await scene.sessions.until(task.id, ({ agentOptions }) => agentOptions?.configDir === "/srv/claude");
  expect((await scene.sessions.task(task.id)).agentOptions).toEqual({
    model: "sonnet",
    configDir: "/srv/claude",
  });

  const args = panel.getByLabel("Extra arguments");
  await args.fill("--add-dir /srv/shared");
  await panel.getByLabel("Model").focus();
  await scene.sessions.until(task.id, ({ agentOptions }) => agentOptions?.extraArgs?.length === 1);
  await args.fill("--add-dir\n/srv/shared");
  await panel.getByLabel("Model").focus();
  await scene.sessions.until(task.id, ({ agentOptions }) => agentOptions?.extraArgs?.length === 2);
});

test("another agent can be chosen once the one that runs has ended, and until then it says so", async () => {
  await using scene = await AgentScene.open(browser);
  const task = await scene.add("Works", doing("working"));
  await scene.tab.card("Works").click();
  const panel = scene.tab.panel();
  await panel.getByRole("tab", { name: "Task" }).click();
  const field = panel.getByLabel("Agent");
  await panel.getByText("It's running.").waitFor();
  expect(await field.isDisabled()).toBe(true);
  scene.visitor.expectConsole(/409 .*\/worktree/); // it had none
  await scene.tell(task, { sessionStatus: "done", activity: null });
  await panel.getByText("It's running.").waitFor({ state: "detached" });
  expect(await field.isEnabled()).toBe(true);
});

test("a new task's agent is chosen where it is written, and remembered unless its project has one", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, server, board } = scene;
  const composer = tab.page.locator("form", { has: tab.page.getByPlaceholder("What needs to be done?") });
  const agent = composer.getByLabel("Agent");
  const create = async (title: string) => {
    using events = await server.events();
    await tab.page.getByPlaceholder("What needs to be done?").fill(title);
    await tab.press("Enter");
    const seen = await events.until(({ type, data }) => type === "task" && data.title === title);
    await tab.press("Escape");
    return seen.at(-1)?.data.agent;
  };
  await tab.press("c");
  expect(await agent.inputValue()).toBe("claude");
  expect(await create("as it comes")).toBe("claude");
  await tab.press("c");
  await agent.selectOption("script");
  expect(await create("chosen")).toBe("script");
  await tab.page.reload();
  await tab.card("chosen").locator("[data-agent=script]").waitFor();
  await tab.press("c");
  await agent.waitFor();
  expect(await create("remembered")).toBe("script");
  await server.patch(`/api/projects/${board.project.id}`, { agent: "shell" });
  await tab.press("c");
  await tab.page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>("form select")?.value === "shell",
  );
  expect(await create("its project's")).toBe("shell");
});

test("each agent has options of its own in the form, and gets them back when it is chosen again", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, board, sessions } = scene;
  const task = await board.addTask({ title: "Options", status: "active", agentOptions: { model: "opus" } });
  await tab.card("Options").click();
  const panel = tab.panel();
  const agent = panel.getByRole("combobox", { name: "Agent" });
  await panel.locator("summary", { hasText: "Agent options" }).click();
  expect(await panel.getByLabel("Model").inputValue()).toBe("opus");
  await agent.selectOption("codex");
  await panel.getByText("CODEX_HOME").waitFor();
  expect(await panel.getByLabel("Model").inputValue()).toBe("");
  await panel.getByLabel("Permissions").selectOption("plan");
  await panel.getByLabel("Effort").selectOption("high");
  await sessions.until(task.id, ({ agentOptions }) => agentOptions?.effort === "high");
  await agent.selectOption("gemini");
  await panel.getByText("GEMINI_CLI_HOME").waitFor();
  expect(await panel.getByLabel("Effort").count()).toBe(0);
  await agent.selectOption("claude");
  await panel.getByText("CLAUDE_CONFIG_DIR").waitFor();
  expect(await panel.getByLabel("Model").inputValue()).toBe("opus");
  const { otherOptions } = await sessions.until(task.id, ({ agent }) => agent === "claude");
  expect(otherOptions).toEqual({ codex: { permissionMode: "plan", effort: "high" } });
});
