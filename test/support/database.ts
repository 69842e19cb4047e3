import { sql } from "drizzle-orm";
import { openStore } from "../../src/db/open.ts";
import { projects, tasks } from "../../src/db/schema.ts";
import type { TestServer } from "./server.ts";

/** What really is in the server's database, deleted rows included. */
export function readDatabase(server: TestServer) {
  const store = openStore(server.database);
  try {
    return {
      integrity: store.db.values<[string]>(sql`PRAGMA integrity_check`),
      tasks: store.db.select().from(tasks).all(),
      projects: store.db.select().from(projects).all(),
    };
  } finally {
    store.close();
  }
}
