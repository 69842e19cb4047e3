import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionBoard } from "./sessions.ts";
import { tempDir } from "./temp.ts";

/** Stands in Claude Code's place, and only stands there. */
const STAND_IN = `#!/bin/sh
[ "$1" = --version ] && exec echo "2.1.197 (Claude Code)"
echo on
exec sleep 1000
`;

/** The program, in a folder of its own. */
export function standInClaude(): { program: string } & Disposable {
  const folder = tempDir("stand-in");
  const program = join(folder.path, "claude");
  writeFileSync(program, STAND_IN, { mode: 0o755 });
  return { program, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** What Claude Code would send: a tool that it has run, or asks to run. */
export function hooksOf(board: SessionBoard, sessionId: string | null) {
  const settings = readFileSync(board.server.inData(`run/${sessionId}.signals/settings.json`), "utf8");
  const { hooks } = JSON.parse(settings);
  return (event: string, command: string): Promise<Response> => {
    const [{ url, headers }] = hooks[event][0].hooks;
    const body = JSON.stringify({ session_id: "s", tool_name: "Bash", tool_input: { command } });
    return fetch(url, { method: "POST", headers, body });
  };
}
