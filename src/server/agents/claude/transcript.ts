import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** Where Claude Code keeps settings, logins and conversations. */
export function configDirOf(env: Record<string, string | undefined>, chosen: string | undefined): string {
  return chosen ?? (env.CLAUDE_CONFIG_DIR || join(env.HOME ?? "", ".claude"));
}

/**
 * Whether there is a conversation to continue. Claude derives its folder's name in its own way, but the id is unique,
 * so every folder is searched.
 */
export function hasTranscript(configDir: string, id: string): boolean {
  const projects = join(configDir, "projects");
  try {
    const files = readdirSync(projects).map((folder) => join(projects, folder, `${id}.jsonl`));
    return files.some((file) => existsSync(file) && holdsMessage(file));
  } catch {
    return false; // Claude has never run here
  }
}

const CHUNK = 65_536;
const MESSAGE = /"type":"(user|assistant)"/;

/** A session that was killed early leaves a file without messages. */
function holdsMessage(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.alloc(CHUNK);
    let end = "";
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const text = end + chunk.toString("latin1", 0, length);
      if (MESSAGE.test(text)) return true;
      end = text.slice(-32);
    }
    return false;
  } finally {
    closeSync(file);
  }
}
