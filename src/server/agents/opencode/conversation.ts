import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether OpenCode still has a conversation. Where its database can't be read, it is taken at its word: it says itself
 * when it hasn't.
 */
export function hasConversation(env: Record<string, string | undefined>, id: string): boolean {
  if (!id.startsWith("ses_")) return false; // it ended before OpenCode had made one
  const data = env.XDG_DATA_HOME || join(env.HOME ?? "", ".local", "share");
  const file = join(data, "opencode", "opencode.db");
  if (!existsSync(file)) return false;
  try {
    using database = new Database(file, { readonly: true });
    return database.query("SELECT 1 FROM session WHERE id = ?").get(id) !== null;
  } catch {
    return true;
  }
}
