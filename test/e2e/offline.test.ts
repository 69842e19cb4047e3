import { expect, test } from "bun:test";
import { type Scene, withBrowser } from "../support/browser.ts";
import { intercept } from "../support/intercept.ts";
import { SessionScene } from "../support/session-scene.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();
const UNREACHABLE = /net::ERR_|status of 404/;

/** Three changes in one tab: create, rename, move. */
async function workOn({ tab }: Scene): Promise<void> {
  await tab.press("c");
  await tab.type("First");
  await tab.press("Enter");
  await tab.type("Second");
  await tab.press("Enter", "Escape");
  await tab.card("Task").focus();
  await tab.press("e");
  await tab.type("Renamed");
  await tab.press("Enter");
  await tab.expectFocus("Renamed");
  await tab.press("Space", "ArrowRight", "Space");
}

test("changes made offline are shown, wait, and are sent once and in each task's order when the network is back", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor, server } = scene;
  visitor.expectConsole(UNREACHABLE);
  await using someone = await browser.stranger(server);
  const other = await someone.signIn();

  await visitor.context.setOffline(true);
  await tab.expectConnection("Reconnecting…");
  await workOn(scene);
  await tab.expectBoard({ backlog: ["Second", "First"], active: ["Renamed"] });
  await tab.page.getByText("4 changes waiting").waitFor();
  await scene.board.addTask({ title: "From elsewhere", status: "done" });
  await other.expectBoard({ backlog: ["Task"], active: [], done: ["From elsewhere"] });

  using events = await server.events();
  await visitor.context.setOffline(false);
  await tab.expectConnection("Live");
  await scene.expectEverywhere({
    backlog: ["Second", "First"],
    active: ["Renamed"],
    done: ["From elsewhere"],
  });
  await other.expectBoard({ backlog: ["Second", "First"], active: ["Renamed"], done: ["From elsewhere"] });
  await scene.board.addTask({ title: "The last" });
  const seen = await events.until(({ data }) => data.title === "The last");
  const titles = seen.filter(({ type }) => type === "task").map(({ data }) => data.title);
  expect(titles.filter((title) => title !== "Renamed")).toEqual(["First", "Second", "The last"]);
  const renamed = seen.filter(({ data }) => data.title === "Renamed");
  expect(renamed.map(({ data }) => data.status)).toEqual(["backlog", "active"]);
});

test("a page that holds changes back asks before it goes away, and goes without a word once they are sent", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(UNREACHABLE);
  await visitor.context.setOffline(true);
  await tab.expectConnection("Reconnecting…");
  await workOn(scene);
  const asked = tab.page.waitForEvent("dialog");
  await tab.page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await tab.expectBoard({ backlog: ["Second", "First"], active: ["Renamed"] });

  await visitor.context.setOffline(false);
  await scene.expectStored({ backlog: ["Second", "First"], active: ["Renamed"] });
  await tab.page.getByText("waiting").waitFor({ state: "detached" });
  const closed = tab.page.waitForEvent("close");
  await tab.page.close({ runBeforeUnload: true });
  await closed;
});

test("a server that dies and comes back gets what was done meanwhile, once", async () => {
  await using scene = await browser.boardOfProcess({ backlog: ["Task"] });
  const { tab, visitor, server } = scene;
  visitor.expectConsole(UNREACHABLE);
  await server.kill("SIGKILL");
  await tab.expectConnection("Reconnecting…");
  await workOn(scene);
  await tab.expectBoard({ backlog: ["Second", "First"], active: ["Renamed"] });

  await server.restart();
  await scene.board.addTask({ title: "From elsewhere", status: "done" });
  await tab.button(/Connection/).click();
  await tab.expectConnection("Live");
  await scene.expectEverywhere({
    backlog: ["Second", "First"],
    active: ["Renamed"],
    done: ["From elsewhere"],
  });
});

async function loseFirstAnswer({ page }: Tab, address: string, method: string): Promise<void> {
  let isFirst = true;
  await intercept(page, address, async (route) => {
    if (route.request().method() !== method || !isFirst) return route.continue();
    isFirst = false;
    await route.fetch(); // it arrives
    await route.abort("connectionreset"); // and the answer does not
  });
}

test("a change whose answer was lost is not made twice", async () => {
  await using scene = await browser.board();
  const { tab, visitor } = scene;
  visitor.expectConsole(UNREACHABLE);
  await loseFirstAnswer(tab, "**/api/tasks", "POST");
  await tab.press("c");
  await tab.type("Once");
  await tab.press("Enter");
  await tab.type("After it");
  await tab.press("Enter");
  await scene.expectStored({ backlog: ["After it", "Once"] });
  await scene.expectEverywhere({ backlog: ["After it", "Once"], active: [], done: [] });
});

test("a deletion whose answer was lost is done, and can still be undone", async () => {
  await using scene = await browser.board({ backlog: ["Task", "Other"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(UNREACHABLE);
  await loseFirstAnswer(tab, "**/api/tasks/*", "DELETE");
  await tab.press("k", "Delete");
  await scene.expectStored({ backlog: ["Other"] });
  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["Task", "Other"], active: [], done: [] });
  expect(await tab.toast("Couldn't delete the task").count()).toBe(0);
});

test("pages that can't be fetched say so, and can be tried again", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(UNREACHABLE);
  let isThere = false;
  await intercept(tab.page, "**/*.js", (route) =>
    isThere ? route.continue() : route.abort("connectionrefused"),
  );
  await tab.press("g", "h");
  await tab.page.getByText("The history could not be loaded.").waitFor();
  isThere = true;
  await tab.button("Try again").click();
  await tab.page.getByRole("heading", { name: "History" }).waitFor();
});

test("a session's action whose answer was lost is not taken again", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, visitor, sessions } = scene;
  visitor.expectConsole(UNREACHABLE);
  const { id } = await scene.start("job", "echo begun; exec sleep 1000");
  await tab.expectState(": job", "Working");
  const before = await sessions.settled(id);
  await loseFirstAnswer(tab, "**/session/retry", "POST");
  await tab.card(": job").hover();
  await tab.button("Actions for : job").click();
  await tab
    .dialog(": job")
    .getByRole("option", { name: /^Retry/ })
    .click();
  await tab.toast("Retrying in a fresh worktree").waitFor();
  await sessions.settled(id);
  const { body } = await scene.server.get<unknown[]>(`/api/tasks/${id}/session-logs`);
  expect(body).toHaveLength(1);
  expect((await sessions.task(id)).branch).not.toBe(before.branch);
});
