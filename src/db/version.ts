// Which version of banto a database belongs to: its last migration, and for people the version that last opened it, in
// `user_version`.

import type { Database } from "bun:sqlite";
import { version } from "../../package.json";
import journal from "./migrations/meta/_journal.json";

const NEWEST = Math.max(...journal.entries.map(({ when }) => when));

/** A database that this version would not understand. */
export class NewerDatabase extends Error {}

export function requireNotNewer(database: Database): void {
  const isNew =
    database.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() === null;
  if (isNew) return;
  const { last, number } = database
    .query<{ last: number; number: number }, []>(
      "SELECT max(created_at) last, count(*) number FROM __drizzle_migrations",
    )
    .get() ?? { last: 0, number: 0 };
  if (last <= NEWEST) return;
  const [{ user_version: encoded = 0 } = {}] = database
    .query<{ user_version: number }, []>("PRAGMA user_version")
    .all();
  throw new NewerDatabase(
    `it was written by ${encoded > 0 ? `banto ${decode(encoded)}` : "a newer banto"} (its schema has ${number} steps), and this is banto ${version} (which knows ${journal.entries.length})`,
  );
}

export function noteVersion(database: Database): void {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  database.run(`PRAGMA user_version = ${(major * 1_000 + minor) * 1_000 + patch}`);
}

const decode = (encoded: number) =>
  [Math.floor(encoded / 1_000_000), Math.floor(encoded / 1_000) % 1_000, encoded % 1_000].join(".");
