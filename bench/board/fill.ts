import { generateNKeysBetween } from "fractional-indexing";
import { TASK_STATUSES } from "../../src/contract.ts";
import { openStore } from "../../src/db/open.ts";
import { projects, tasks } from "../../src/db/schema.ts";

/** A board of `count` tasks in three projects, written straight into a database that no server has open. */
export function fillBoard(database: string, count: number) {
  const store = openStore(database);
  const now = new Date().toISOString();
  const keys = generateNKeysBetween(null, null, count);
  store.write((tx) => {
    for (const name of ["api", "docs", "storefront"]) {
      tx.insert(projects)
        .values({
          id: name,
          name,
          path: `/nowhere/${name}`,
          baseBranch: "main",
          createdAt: now,
          updatedAt: now,
        })
        .run();
    }
    keys.forEach((position, index) => {
      tx.insert(tasks)
        .values({
          id: `task${index}`,
          projectId: ["api", "docs", "storefront"][index % 3] ?? "api",
          title: `Task ${index}: make the thing do what its documentation says it does`,
          description: index % 2 === 0 ? "What the agent should know. ".repeat(10) : null,
          status: TASK_STATUSES[index % 3] ?? "backlog",
          position,
          agent: "claude",
          createdAt: now,
          updatedAt: now,
        })
        .run();
    });
  });
  store.close();
}
