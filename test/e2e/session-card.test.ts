import { expect, test } from "bun:test";
import { withBrowser } from "../support/browser.ts";
import { holdAnswer } from "../support/held-answer.ts";
import { Mouse, pointIn } from "../support/pointer.ts";
import { ASKING, SessionScene } from "../support/session-scene.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

const preview = (tab: Tab, title: string) => tab.card(title).locator("[data-preview]");

const groups = (tab: Tab) => tab.column("active").locator("[data-group]").allTextContents();

test("a card says where its session stands, for how long, and shows the last lines of its screen", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  await tab.column("active").getByText("Move a card here to work on it.").waitFor();
  const task = await scene.add("work", "for i in 1 2 3 4; do echo line $i; done; exec sleep 1000");
  await tab.expectState(": work", "Not started");

  await sessions.act(task.id, "start");
  await tab.expectState(": work", "Working");
  await preview(tab, ": work").getByText("line 4").waitFor();
  expect(await preview(tab, ": work").locator("p").allTextContents()).toEqual(["line 2", "line 3", "line 4"]);
  await tab.card(": work").locator("[data-elapsed]").waitFor();

  await tab.page.reload();
  await preview(tab, ": work").getByText("line 4").waitFor();

  await sessions.act(task.id, "stop");
  await tab.expectState(": work", "Stopped");
  await preview(tab, ": work").waitFor({ state: "detached" });
});

test("an answer that comes late takes back nothing that a card has heard since", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, server } = scene;
  const task = await scene.start("work", "echo old; read go; echo new; exec sleep 1000");
  await preview(tab, ": work").getByText("old").waitFor();
  const answer = await holdAnswer(tab.page, "**/api/sessions");
  await Promise.all([tab.page.reload(), answer.given]);
  await server.post(`/api/tasks/${task.id}/terminal/input`, { text: "", submit: true });
  await preview(tab, ": work").getByText("new").waitFor();
  await answer.release();
  await scene.add("later"); // by the time it is shown, the answer has been
  await tab.card(": later").waitFor();
  expect(await preview(tab, ": work").locator("p").allTextContents()).toContain("new");
});

test("a card that fails gives the reason, one that finishes and one that waits say so", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.start("fails", "echo broken; exit 3");
  await scene.start("finishes", "exit 0");
  await scene.start("waits", ASKING);
  await tab.expectState(": fails", "Failed");
  await tab.card(": fails").getByText("The agent exited with code 3.").waitFor();
  await tab.expectState(": finishes", "Finished");
  await tab.expectState(": waits", "Has a question");
  await preview(tab, ": waits").getByText("Go on? [y/N]").waitFor();
});

test("Active groups its cards by need, with counts, and pinned ones first in each group", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  await scene.add("idle");
  await tab.expectColumn("active", [": idle"]);
  expect(await groups(tab)).toEqual([]);

  await sessions.until(
    (await scene.start("first", ASKING)).id,
    ({ sessionStatus }) => sessionStatus === "waiting_for_input",
  );
  await sessions.until(
    (await scene.start("second", ASKING)).id,
    ({ sessionStatus }) => sessionStatus === "waiting_for_input",
  );
  await sessions.ended((await scene.start("done", "exit 0")).id);
  await sessions.ended((await scene.start("failed", "exit 1")).id);
  await sessions.running(undefined, { title: ": busy" });
  await sessions.running(undefined, { title: ": pinned", pinned: true });
  await tab.expectColumn("active", [
    ": first",
    ": second",
    ": failed",
    ": done",
    ": pinned",
    ": busy",
    ": idle",
  ]);
  expect(await groups(tab)).toEqual(["Needs you2", "Failed1", "Finished1", "Working2", "Idle1"]);
});

test("inside Active a card keeps to its group, whether by mouse or by keyboard; between columns it moves", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  await scene.board.addTask({ title: "later" });
  await scene.add("b");
  await scene.add("a");
  await sessions.running(undefined, { title: ": two" });
  await sessions.running(undefined, { title: ": one" });
  await tab.expectColumn("active", [": one", ": two", ": a", ": b"]);
  const mouse = new Mouse(tab.page);

  await mouse.drag(tab.card(": b"), await pointIn(tab.card(": one"), 0.5, 0.1));
  await tab.expectColumn("active", [": one", ": two", ": b", ": a"]);
  await mouse.drag(tab.card(": one"), await pointIn(tab.column("active"), 0.5, 0.9));
  await tab.expectColumn("active", [": two", ": one", ": b", ": a"]);
  await mouse.drag(tab.card("later"), await pointIn(tab.card(": two"), 0.5, 0.1));
  await tab.expectColumn("active", [": two", ": one", "later", ": b", ": a"]);

  await tab.card(": a").focus();
  await tab.press("Space", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "Space");
  await tab.expectColumn("active", [": two", ": one", ": a", "later", ": b"]);

  await mouse.drag(tab.card(": one"), await pointIn(tab.column("done")));
  await tab.toast("The agent is still running").waitFor();
  await tab.expectBoard({ active: [": two", ": one", ": a", "later", ": b"], done: [] });
});

test("while sessions write, nothing on the board changes but their previews and times", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const BUSY = "i=0; while :; do i=$((i+1)); echo line $i; sleep 0.3; done";
  for (const name of ["a", "b", "c", "d"]) await sessions.running(BUSY, { title: `: ${name}` });
  await preview(tab, ": d")
    .getByText(/line (9|\d\d)/)
    .first()
    .waitFor();
  const heights = () =>
    tab
      .column("active")
      .locator("[data-card]")
      .evaluateAll((cards) => cards.map((card) => card.clientHeight));
  const before = await heights();

  const changed = await tab.page.evaluate(async () => {
    const outside: string[] = [];
    let previews = 0;
    const watcher = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element?.closest("[data-preview]")) previews += 1;
        else if (!element?.closest("time")) outside.push(element?.outerHTML.slice(0, 120) ?? "?");
      }
    });
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    while (previews < 12) await new Promise((resolve) => requestAnimationFrame(resolve));
    watcher.disconnect();
    return outside;
  });
  expect(changed).toEqual([]);
  expect(await heights()).toEqual(before);
});
