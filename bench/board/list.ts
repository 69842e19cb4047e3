import { Database } from "bun:sqlite";
import { TestServer } from "../../test/support/server.ts";
import { median, type Row, timings } from "../row.ts";
import { fillBoard } from "./fill.ts";

/** GET /api/tasks against the bare SQL query for the same rows. */
export async function measureList(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [50, 5_000]) {
    await using server = await TestServer.start();
    await server.kill("SIGTERM");
    fillBoard(server.database, count);
    await server.restart();
    const sqlite = new Database(server.database, { readonly: true });
    const query = sqlite.query("SELECT * FROM tasks WHERE deleted_at IS NULL ORDER BY position, id");
    const headers = { authorization: `Bearer ${server.token}` };
    const sql = await timings(60, () => query.all());
    const http = await timings(60, async () =>
      (await fetch(`${server.url}api/tasks`, { headers })).arrayBuffer(),
    );
    sqlite.close();
    rows.push({
      name: `list ${count} tasks over HTTP`,
      value: median(http),
      unit: "ms",
      ratio: median(http) / median(sql),
      against: `the SQL query alone, ${median(sql).toFixed(2)} ms`,
    });
  }
  return rows;
}
