// What Claude Code asks through its hooks, at the pace of whoever speaks for it here.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { SessionBoard } from "../../support/sessions.ts";
import { hooksOf, standInClaude } from "../../support/stand-in-claude.ts";

setDefaultTimeout(60_000);

const ALLOWED = { hookSpecificOutput: { decision: { behavior: "allow" } } };

let claude: ReturnType<typeof standInClaude>;
let board: SessionBoard;
beforeAll(async () => {
  claude = standInClaude();
  board = await SessionBoard.startHere({ CLAUDE_CODE_EXECUTABLE: claude.program });
});
afterAll(async () => {
  await board[Symbol.asyncDispose]();
  claude[Symbol.dispose]();
});

/** A task whose agent asks to run commands, and runs them. */
async function asker() {
  const { id, sessionId } = await board.running("", { title: "Ask", agent: "claude" });
  const hook = hooksOf(board, sessionId);
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
