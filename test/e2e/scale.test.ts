import { expect, test } from "bun:test";
import { DEFAULT_AGENT } from "../../src/contract.ts";
import { openStore } from "../../src/db/open.ts";
import { tasks } from "../../src/db/schema.ts";
import { TestBoard } from "../support/board.ts";
import { DESK, Scene, withBrowser } from "../support/browser.ts";
import { Mouse, pointIn } from "../support/pointer.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();
const COUNT = 5_000;
const MOST_NODES = 2_500;

/** Backlog holds all but two of five thousand cards: `Task 0` at its top, `Task 4997` at its end. */
async function largeBoard(): Promise<Scene> {
  const board = await TestBoard.start();
  fill(board);
  await board.server.restart();
  const visitor = await browser.stranger(board.server, DESK);
  return new Scene(board, visitor, await visitor.signIn());
}

function fill({ server, project }: TestBoard): void {
  const now = new Date().toISOString();
  const store = openStore(server.database);
  const row = (index: number) => ({
    id: `task${String(index).padStart(12, "0")}`,
    projectId: project.id,
    title: `Task ${index}`,
    status: index < COUNT - 2 ? ("backlog" as const) : ("done" as const),
    agent: DEFAULT_AGENT,
    position: `d${String(index).padStart(4, "0")}1`,
    createdAt: now,
    updatedAt: now,
  });
  store.write((tx) => {
    for (let from = 0; from < COUNT; from += 500)
      tx.insert(tasks)
        .values(Array.from({ length: 500 }, (_, offset) => row(from + offset)))
        .run();
  });
  store.close();
}

const nodeCount = (tab: Tab) => tab.page.evaluate(() => document.querySelectorAll("*").length);

const scrollToEnd = (tab: Tab) =>
  tab
    .column("backlog")
    .locator("[data-scroller]")
    .evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });

test("five thousand tasks: the board shows, scrolls to the end, and moves cards there, in a small document", async () => {
  await using scene = await largeBoard();
  const { tab, board } = scene;
  await tab.card("Task 0").waitFor();
  await tab.column("backlog").getByText("4998", { exact: true }).waitFor();
  expect(await nodeCount(tab)).toBeLessThan(MOST_NODES);

  await scrollToEnd(tab);
  await tab.card("Task 4997").waitFor();
  expect(await nodeCount(tab)).toBeLessThan(MOST_NODES);

  await new Mouse(tab.page).drag(tab.card("Task 4997"), await pointIn(tab.column("active")));
  await tab.expectColumn("active", ["Task 4997"]);
  await scene.expectStored({ active: ["Task 4997"] });

  await tab.card("Task 4996").focus();
  await tab.press("k");
  await tab.expectFocus("Task 4995");
  await tab.press("Space", "ArrowUp", "ArrowUp", "Space");
  await tab.expectFocus("Task 4995");
  await tab.expectAnnouncement("Task 4995 put down in Backlog, position 4994 of 4997.");
  const after = async () => (await board.column("backlog")).slice(-4).map(({ title }) => title);
  await expectEventually(after, ["Task 4995", "Task 4993", "Task 4994", "Task 4996"]);
  expect(await nodeCount(tab)).toBeLessThan(MOST_NODES);
});

test("a long column stays where one reads when cards come and go elsewhere", async () => {
  await using scene = await largeBoard();
  const { tab, board } = scene;
  await tab.card("Task 0").focus();
  await scrollToEnd(tab);
  await tab.card("Task 4997").waitFor();
  const top = () =>
    tab
      .column("backlog")
      .locator("[data-scroller]")
      .evaluate((scroller) => scroller.scrollTop);
  const before = await top();
  await board.addTask({ title: "New at the top" });
  await tab.column("backlog").getByText("4999", { exact: true }).waitFor();
  await tab.card("Task 4997").waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThan(200);
});

test("a search among five thousand tasks narrows the board as one types", async () => {
  await using scene = await largeBoard();
  const { tab } = scene;
  await tab.press("/");
  await tab.type("task 4321");
  await tab.expectColumn("backlog", ["Task 4321"]);
  await tab.press("Escape");
  await tab.card("Task 0").waitFor();
});

async function expectEventually(read: () => Promise<string[]>, expected: string[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  let seen = await read();
  while (!Bun.deepEquals(seen, expected) && Date.now() < deadline) seen = await read();
  expect(seen).toEqual(expected);
}
