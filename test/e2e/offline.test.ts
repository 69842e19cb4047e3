import { expect, test } from "bun:test";
import { type Scene, withBrowser } from "../support/browser.ts";

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

test("changes made offline are shown, wait, and are sent once and in order when the network is back", async () => {
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
  const seen = await events.until(({ data }) => data.status === "active");
  expect(seen.filter(({ type }) => type === "task").map(({ data }) => data.title)).toEqual([
    "First",
    "Second",
    "Renamed",
    "Renamed",
  ]);
});

test("a server that dies and comes back gets what was done meanwhile, once", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
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

test("a change whose answer was lost is not made twice", async () => {
  await using scene = await browser.board();
  const { tab, visitor } = scene;
  visitor.expectConsole(UNREACHABLE);
  let isFirst = true;
  await tab.page.route("**/api/tasks", async (route) => {
    if (route.request().method() !== "POST" || !isFirst) return route.continue();
    isFirst = false;
    await route.fetch(); // it arrives
    await route.abort("connectionreset"); // and the answer does not
  });
  await tab.press("c");
  await tab.type("Once");
  await tab.press("Enter");
  await tab.type("After it");
  await tab.press("Enter");
  await scene.expectStored({ backlog: ["After it", "Once"] });
  await scene.expectEverywhere({ backlog: ["After it", "Once"], active: [], done: [] });
});
