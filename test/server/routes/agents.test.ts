import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../../src/contract.ts";
import type { ListedAgent } from "../../../src/server/agents/agents.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure, TestBoard } from "../../support/board.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

const UNKNOWN = { version: null, tooOld: false, loggedIn: null, notice: null };

interface Listed {
  agents: ListedAgent[];
  problem: string | null;
}

test("agents are listed, and a task takes one that was configured while the server runs", async () => {
  await using board = await TestBoard.startHere({ CLAUDE_CODE_EXECUTABLE: "/no/such/claude" });
  const { server } = board;
  const file = join(server.dataDir, "agents.toml");
  const listed = (await server.get<Listed>("/api/agents")).body;
  expect(listed.problem).toBeNull();
  expect(listed.agents.map(({ name }) => name)).toEqual([...AGENTS]);
  expect(listed.agents).toEqual(
    expect.arrayContaining([
      {
        name: "claude",
        label: "Claude Code",
        canResume: true,
        options: expect.objectContaining({ efforts: expect.arrayContaining(["high"]) }),
        available: false,
        problem: expect.stringMatching(/^\/no\/such\/claude does not exist/),
        ...UNKNOWN,
      },
      {
        ...{ name: "shell", label: "Shell", canResume: true, options: null },
        ...{ available: true, problem: null, ...UNKNOWN },
      },
    ]),
  );

  const task = await board.addTask();
  expectFailure(
    await server.patch(`/api/tasks/${task.id}`, { agent: "reader" }),
    "invalid",
    `agent: must be one of ${AGENTS.join(", ")}`,
  );
  writeFileSync(file, '[agents.reader]\ncommand = ["cat"]\nlabel = "Reader"\n');
  expect((await server.get<Listed>("/api/agents")).body.agents[AGENTS.length]).toEqual({
    name: "reader",
    label: "Reader",
    canResume: false,
    options: null,
    available: true,
    problem: null,
    ...UNKNOWN,
  });
  const patched = await server.patch<TaskRow>(`/api/tasks/${task.id}`, { agent: "reader" });
  expect(patched.body.agent).toBe("reader");
  expect((await board.addTask({ agent: "reader" })).agent).toBe("reader");

  writeFileSync(file, "[agents.reader\n");
  const broken = await server.get<Listed>("/api/agents");
  expect(broken.body.problem).toMatch(/agents\.toml, line 1: Expected '\]'/);
  expect(broken.body.agents).toHaveLength(AGENTS.length);
  expectFailure(
    await server.post("/api/tasks", { projectId: board.project.id, title: "x", agent: "reader" }),
    "invalid",
    /line 1/,
  );
  // What has been chosen stays, and everything else about the task can be changed.
  const renamed = await server.patch<TaskRow>(`/api/tasks/${task.id}`, { title: "Renamed" });
  expect(renamed.body).toMatchObject({ title: "Renamed", agent: "reader" });
});
