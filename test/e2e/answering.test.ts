import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { PHONE, withBrowser } from "../support/browser.ts";
import { intercept } from "../support/intercept.ts";
import { beSeen } from "../support/seen.ts";

const browser = withBrowser();

/** Stands in for the agent's side: keeps every answer, and goes on working when it may. */
async function takeAnswers(scene: AgentScene, mayGoOn?: Promise<void>) {
  const taken: unknown[] = [];
  let gone = 0;
  let onGone = () => {};
  await intercept(scene.tab.page, "**/api/tasks/*/session/answer", async (route) => {
    const request = route.request();
    taken.push(request.postDataJSON());
    await mayGoOn;
    const [, id = ""] = /tasks\/([^/]+)/.exec(request.url()) ?? [];
    await scene.tell({ id }, doing("working"));
    await route.fulfill({ status: 204 });
    gone += 1;
    onGone();
  });
  return {
    taken,
    /** The card moves on before its answer is there. */
    async arrived(count = 1) {
      while (gone < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onGone = resolve;
        await promise;
      }
      return taken;
    },
  };
}

const COMMAND = "npm test && \\\n  rm -rf coverage\necho 1\necho 2\necho 3\necho 4";

test("a allows what the card asks, by its id, and the card moves on at once", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const seen = Promise.withResolvers<void>();
  const answers = await takeAnswers(scene, seen.promise);
  const request = ask({ detail: COMMAND });
  await scene.add("wants", doing("permission", { asks: request }));
  await tab.card("wants").getByText("rm -rf coverage").waitFor();
  await tab.card("wants").getByText("2 more lines").waitFor();
  expect(await tab.card("wants").getByRole("button", { name: "Always", exact: true }).count()).toBe(0);
  await beSeen(tab);
  await tab.card("wants").focus();
  await tab.press("a");
  await tab.expectState("wants", "Working");
  seen.resolve();
  expect(await answers.arrived()).toEqual([{ ask: request.id, decision: "allow" }]);
  await tab.button("1 needs you").waitFor({ state: "detached" });
});

test("a key pressed the instant a request comes up answers nothing", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const answers = await takeAnswers(scene);
  const task = await scene.add("wants", doing("working"));
  await tab.card("wants").focus();
  // The page itself presses the key in the frame after the request is drawn.
  await tab.page.evaluate(() => {
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const watcher = new MutationObserver(() => {
      if (document.querySelector("[data-ask]") === null) return;
      watcher.disconnect();
      requestAnimationFrame(() => {
        press("a");
        press("d");
        document.querySelector<HTMLElement>("[data-ask] button")?.click();
        document.body.dataset.pressed = "";
      });
    });
    watcher.observe(document.body, { subtree: true, childList: true });
  });
  const request = ask();
  await scene.tell(task, doing("permission", { asks: request }));
  await tab.page.locator("body[data-pressed]").waitFor();
  await tab.expectAnnouncement("This request just appeared.");
  await tab.expectState("wants", "Needs permission");
  expect(await tab.page.getByRole("textbox", { name: "What to tell the agent" }).count()).toBe(0);
  expect(answers.taken).toEqual([]);

  await beSeen(tab);
  await tab.press("a");
  await tab.expectState("wants", "Working");
  expect(await answers.arrived()).toEqual([{ ask: request.id, decision: "allow" }]);
});

test("d opens a field for a reason: Escape goes back, Enter denies with it", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const answers = await takeAnswers(scene);
  const request = ask();
  await scene.add("wants", doing("permission", { asks: request }));
  await tab.expectState("wants", "Needs permission");
  await beSeen(tab);
  await tab.card("wants").focus();
  const field = tab.card("wants").getByRole("textbox", { name: "What to tell the agent" });
  await tab.press("d");
  await field.waitFor();
  await tab.press("Escape");
  await field.waitFor({ state: "detached" });
  await tab.expectFocus("wants");
  await tab.press("d");
  await tab.type("Use pnpm");
  await tab.press("Shift+Enter");
  await tab.type("not npm.");
  await tab.press("Enter");
  await tab.expectState("wants", "Working");
  await tab.expectFocus("wants");
  expect(await answers.arrived()).toEqual([
    { ask: request.id, decision: "deny", message: "Use pnpm\nnot npm." },
  ]);
});

test("always is offered only with what it allows; what can't be answered here leads to the terminal", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const answers = await takeAnswers(scene);
  const request = ask({ always: "npm test in /srv/api, for this session" });
  await scene.add("always", doing("permission", { asks: request }));
  await scene.add("terminal", doing("permission", { asks: ask({ canAnswer: false }) }));
  await tab.card("always").getByText("Always: npm test in /srv/api, for this session").waitFor();
  await tab.expectState("terminal", "Needs permission");
  await beSeen(tab);
  await tab.card("always").getByRole("button", { name: "Always", exact: true }).click();
  await tab.expectState("always", "Working");
  await tab.expectFocus("always");
  expect(await answers.arrived()).toEqual([{ ask: request.id, decision: "always" }]);

  expect(await tab.card("terminal").getByRole("button", { name: "Allow" }).count()).toBe(0);
  await tab.card("terminal").getByRole("button", { name: "Answer in the terminal" }).click();
  await tab.panel().getByText("Answer it in the terminal below.").waitFor();
});

test("when someone else answered first it clears quietly and says so; a denial in words is not lost unseen", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 409/);
  const task = await scene.add("wants", doing("permission", { asks: ask() }));
  await tab.expectState("wants", "Needs permission");
  await beSeen(tab);
  scene.write(task, doing("working", { updatedAt: new Date().toISOString() }));
  await tab.card("wants").focus();
  await tab.press("a");
  await tab.toast("Already answered").waitFor();
  await tab.expectState("wants", "Working");

  await scene.tell(task, doing("permission", { asks: ask() }));
  await tab.expectState("wants", "Needs permission");
  await beSeen(tab);
  await tab.press("d");
  await tab.type("Please don't");
  await scene.tell(task, doing("working"));
  await tab.toast("Already answered elsewhere. Your message wasn't sent.").waitFor();
  await tab.toast("Please don't").waitFor();
});

test("an answer that the server refuses or never gets puts the request back, with a way to try again", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 500/);
  const error = { code: "internal", message: "The agent could not be reached." };
  await intercept(tab.page, "**/session/answer", (route) => route.fulfill({ status: 500, json: { error } }));
  await scene.add("wants", doing("permission", { asks: ask() }));
  await tab.expectState("wants", "Needs permission");
  await beSeen(tab);
  await tab.card("wants").getByRole("button", { name: "Allow" }).click();
  await tab.toast("Couldn't send the answer").waitFor();
  await tab.expectState("wants", "Needs permission");
  await tab.page.unroute("**/session/answer");
  const answers = await takeAnswers(scene);
  await tab.button("Retry").click();
  await tab.expectState("wants", "Working");
  expect(await answers.arrived()).toHaveLength(1);
});

const QUESTION = {
  question: "Which database?",
  header: "Database",
  multiple: false,
  options: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: null },
  ],
};

test("a question's options are buttons; several questions are answered together in the panel", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const answers = await takeAnswers(scene);
  const one = ask({ tool: "AskUserQuestion", questions: [QUESTION] });
  await scene.add("one", doing("question", { asks: one }));
  const both = ask({
    tool: "AskUserQuestion",
    questions: [QUESTION, { ...QUESTION, question: "Which tools?", multiple: true }],
  });
  await scene.add("both", doing("question", { asks: both }));
  await tab.expectState("both", "Has a question");
  await beSeen(tab);
  await tab.card("one").getByRole("button", { name: "Postgres" }).click();
  await tab.expectState("one", "Working");
  await beSeen(tab);

  await tab.card("both").getByRole("button", { name: "Answer…" }).click();
  const form = tab.panel().getByRole("form", { name: "Questions" });
  const first = form.getByRole("group", { name: "Which database?" });
  const second = form.getByRole("group", { name: "Which tools?" });
  await first.getByRole("button", { name: "SQLite" }).click();
  const send = form.getByRole("button", { name: "Send answers" });
  expect(await send.isDisabled()).toBe(true);
  await second.getByRole("button", { name: "Postgres" }).click();
  await second.getByRole("button", { name: "SQLite" }).click();
  await second.getByRole("textbox").fill("DuckDB");
  await send.click();
  await tab.expectState("both", "Working");
  expect(await answers.arrived(2)).toEqual([
    { ask: one.id, decision: "allow", answers: { "Which database?": "Postgres" } },
    {
      ask: both.id,
      decision: "allow",
      answers: { "Which database?": "SQLite", "Which tools?": "SQLite, Postgres, DuckDB" },
    },
  ]);
});

test("what was said to a request stays until it is answered: beside another card, and when it is refused", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404|status of 500/);
  const error = { code: "internal", message: "The agent could not be reached." };
  await intercept(tab.page, "**/session/answer", (route) => route.fulfill({ status: 500, json: { error } }));
  await scene.add("other", doing("permission", { asks: ask() }));
  const questions = [QUESTION, { ...QUESTION, question: "Which tools?" }];
  await scene.add("asks", doing("question", { asks: ask({ tool: "AskUserQuestion", questions }) }));
  await tab.expectState("asks", "Has a question");
  await tab.card("asks").getByRole("button", { name: "Answer…" }).click();
  const form = tab.panel().getByRole("form", { name: "Questions" });
  const [first, second] = [form.getByRole("textbox").first(), form.getByRole("textbox").last()];
  await first.fill("DuckDB");
  await tab.card("other").getByText("npm test").click();
  await form.waitFor({ state: "detached" });
  await tab.card("asks").getByRole("button", { name: "Answer…" }).click();
  expect(await first.inputValue()).toBe("DuckDB");
  await second.fill("None");
  await beSeen(tab);
  await form.getByRole("button", { name: "Send answers" }).click();
  await tab.toast("Couldn't send the answer").waitFor();
  expect([await first.inputValue(), await second.inputValue()]).toEqual(["DuckDB", "None"]);
  const notifications = tab.page.getByRole("region", { name: "Notifications" });
  await notifications.getByRole("button", { name: "Dismiss" }).click();
  await tab.toast("Couldn't send the answer").waitFor({ state: "detached" });

  await tab.card("other").focus();
  await tab.press("d");
  await tab.type("Use pnpm");
  await tab.press("Enter");
  await tab.toast("Couldn't send the answer").waitFor();
  await tab.expectState("other", "Needs permission");
  await tab.card("other").focus();
  await tab.press("d");
  const reason = tab.card("other").getByRole("textbox", { name: "What to tell the agent" });
  expect(await reason.inputValue()).toBe("Use pnpm");
});

test("on a phone a thumb allows from the card, and a long request scrolls inside the panel", async () => {
  await using scene = await AgentScene.open(browser, { screen: PHONE });
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const answers = await takeAnswers(scene);
  const detail = Array.from({ length: 200 }, (_, i) => `echo ${i}`).join("\n");
  const request = ask({ detail });
  await scene.add("wants", doing("permission", { asks: request }));
  await tab.page.getByRole("tab", { name: /Active/ }).tap();
  await tab.card("wants").getByText("196 more lines").tap();
  const panel = tab.panel();
  await panel.getByRole("region", { name: "Full request" }).getByText("echo 199").scrollIntoViewIfNeeded();
  await panel.getByRole("button", { name: "Allow" }).waitFor();
  const box = await panel.getByRole("button", { name: "Allow" }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(PHONE.height);
  await panel.getByRole("button", { name: "Close" }).tap();
  await beSeen(tab);
  await tab.card("wants").getByRole("button", { name: "Allow" }).tap();
  await tab.expectState("wants", "Working");
  expect(await answers.arrived()).toEqual([{ ask: request.id, decision: "allow" }]);
});
