import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where Claude Code keeps settings, logins and conversations. */
export function configDirOf(env: Record<string, string | undefined>, chosen: string | undefined): string {
  return chosen ?? (env.CLAUDE_CONFIG_DIR || join(env.HOME ?? "", ".claude"));
}

/**
 * Is there a conversation to go on with? Its folder's name is made from the directory's in a way of Claude's
 * own, and the id is unique, so every folder is looked into.
 */
export function hasTranscript(configDir: string, id: string): boolean {
  const projects = join(configDir, "projects");
  try {
    return readdirSync(projects).some((folder) => existsSync(join(projects, folder, `${id}.jsonl`)));
  } catch {
    return false; // Claude has never run here
  }
}
