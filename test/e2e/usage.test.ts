import { expect, test } from "bun:test";
import { openStore } from "../../src/db/open.ts";
import { sessionLogs } from "../../src/db/schema.ts";
import { expectClean } from "../support/axe.ts";
import { PHONE, withBrowser } from "../support/browser.ts";
import { expectFits } from "../support/fits.ts";
import type { TestServer } from "../support/server.ts";

const browser = withBrowser();

function spend(server: TestServer, costs: { taskId: string; daysAgo: number; costUsd: number }[]) {
  const store = openStore(server.database);
  const rows = costs.map(({ taskId, daysAgo, costUsd }) => {
    const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    const ended = { startedAt: at, endedAt: at, exitStatus: "done" as const, branch: "banto/x" };
    return { id: crypto.randomUUID(), taskId, costUsd, model: "Sonnet 4.5", lastReply: "Done it.", ...ended };
  });
  store.write((tx) => tx.insert(sessionLogs).values(rows).run());
  store.close();
}

test("what agents cost is a chart and a table, for the board and for each task", async () => {
  await using scene = await browser.board();
  const { tab, board, server } = scene;
  const [cheap, dear] = [await board.addTask({ title: "Cheap" }), await board.addTask({ title: "Dear" })];
  spend(server, [
    { taskId: cheap.id, daysAgo: 1, costUsd: 0.5 },
    { taskId: dear.id, daysAgo: 0, costUsd: 2.25 },
    { taskId: dear.id, daysAgo: 3, costUsd: 1 },
  ]);
  await tab.press("g", "h");
  const cost = tab.page.getByRole("region", { name: "Cost", exact: true });
  await cost.getByText("$3.75").waitFor();
  await cost.getByText("By task and by day").click();
  const rows = (name: string) =>
    cost
      .getByRole("table", { name })
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join(" ")));
  expect(await rows("Cost by task")).toEqual(["Dear 2 $3.25", "Cheap 1 $0.50"]);
  expect((await rows("Cost by day")).map((row) => row.split(" ").at(-1))).toEqual([
    "$2.25",
    "$0.50",
    "$1.00",
  ]);
  await expectClean(tab, "history with costs");

  await cost.getByRole("button", { name: "Dear" }).click();
  const own = tab.panel().getByRole("region", { name: "Cost of this task" });
  await own.getByText("$3.25").waitFor();
  await tab.panel().getByText("Sonnet 4.5").first().waitFor();
  await tab.panel().getByText("Last reply").first().click();
  await tab.panel().getByText("Done it.").first().waitFor();
  await expectClean(tab, "a task's history with costs");
});

test("at 390 px the chart and its tables fit", async () => {
  await using scene = await browser.board({}, PHONE);
  const { tab, board, server } = scene;
  const { id } = await board.addTask({ title: "A title that is too long for a phone ".repeat(4) });
  spend(server, [{ taskId: id, daysAgo: 1, costUsd: 1_234.5 }]);
  await tab.page.goto(`${server.url}?page=history`);
  await tab.page.getByText("By task and by day").tap();
  await tab.page.getByRole("table", { name: "Cost by task" }).waitFor();
  await expectFits(tab);
});
