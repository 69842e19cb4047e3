// What Claude Code asks through its hooks, at the pace of whoever speaks for it here.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionBoard } from "../../support/sessions.ts";
import { tempDir } from "../../support/temp.ts";

setDefaultTimeout(60_000);

/** Stands in Claude Code's place, and only stands there. */
const STAND_IN = `#!/bin/sh
[ "$1" = --version ] && exec echo "2.1.197 (Claude Code)"
echo on
exec sleep 1000
`;

const ALLOWED = { hookSpecificOutput: { decision: { behavior: "allow" } } };

let folder: ReturnType<typeof tempDir>;
let board: SessionBoard;
beforeAll(async () => {
  folder = tempDir("stand-in");
  const program = join(folder.path, "claude");
  writeFileSync(program, STAND_IN, { mode: 0o755 });
  board = await SessionBoard.startHere({ CLAUDE_CODE_EXECUTABLE: program });
});
afterAll(async () => {
  await board[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A task whose agent asks to run commands, and runs them. */
async function asker() {
  const { id, sessionId } = await board.running("", { title: "Ask", agent: "claude" });
  const settings = readFileSync(board.server.inData(`run/${sessionId}.signals/settings.json`), "utf8");
  const { hooks } = JSON.parse(settings);
  const hook = (event: string, command: string): Promise<Response> => {
    const [{ url, headers }] = hooks[event][0].hooks;
    const body = JSON.stringify({ session_id: "s", tool_name: "Bash", tool_input: { command } });
    return fetch(url, { method: "POST", headers, body });
  };
  return {
    id,
    /** Asks, and is seen to ask: what it is answered, and which question that is. */
    async ask(command: string) {
      const answer = hook("PermissionRequest", command);
      const { asks } = await board.until(id, (task) => task.asks?.summary === command);
      return { answer, ask: asks?.id };
    },
    ran: (command: string) => hook("PostToolUse", command),
    allow: (ask: string | undefined) =>
      board.server.post(`/api/tasks/${id}/session/answer`, { ask, decision: "allow" }),
  };
}

test("however often it was allowed in the terminal, the next time it can be on the board", async () => {
  const agent = await asker();
  for (let n = 1; n <= 40; n++) {
    await agent.ask(`touch ${n}`);
    await agent.ran(`touch ${n}`);
  }
  const { ask, answer } = await agent.ask("touch the last");
  expect((await agent.allow(ask)).status).toBe(204);
  expect(await (await answer).json()).toMatchObject(ALLOWED);
});

test("what was allowed in the terminal is let go, and not asked again after a restart", async () => {
  const agent = await asker();
  for (const command of ["touch first", "touch second"]) {
    const { answer } = await agent.ask(command);
    await agent.ran(command);
    expect(await (await answer).text()).toBe("");
  }
  const { ask, answer } = await agent.ask("touch third");
  await board.server.restart();
  expect((await agent.allow(ask)).status).toBe(204);
  expect(await (await answer).json()).toMatchObject(ALLOWED);
});
