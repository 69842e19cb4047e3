import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DEPTH } from "../../support/depth.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

const worktrees = () => readdirSync(join(board.server.dataDir, "worktrees"));

test("of a hundred starts at once exactly one wins: one worktree, one branch, one process", async () => {
  const { id } = await board.addTask();
  const before = worktrees().length;
  const answers = await Promise.all(Array.from({ length: 100 }, () => board.act(id, "start")));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([202, ...Array.from({ length: 99 }, () => 409)]);
  await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
  expect(worktrees().length).toBe(before + 1);
  expect(board.agentsOf(id).length).toBe(1);
  expect(
    (await gitIn(board.board.repository.path, "branch", "--list", `banto/${id.slice(0, 8)}*`)).split("\n")
      .length,
  ).toBe(1);
});

const ACTIONS = ["start", "stop", "resume", "retry", "complete", "delete"] as const;
type Action = (typeof ACTIONS)[number];
const ACCEPTED: Record<Action, number> = {
  start: 202,
  stop: 202,
  resume: 202,
  retry: 202,
  complete: 200,
  delete: 200,
};
const PREPARED = ["fresh", "starting", "running", "ended"] as const;
/** Ends the first time it runs; whatever comes after lasts. */
const ENDS_ONCE = 'mkdir "$HOME/ran-$BANTO_TASK_ID" 2>/dev/null && exit 0; echo on; exec sleep 1000';

async function prepared(how: (typeof PREPARED)[number]): Promise<string> {
  if (how === "running") return (await board.running()).id;
  const { id } = await board.addTask(how === "ended" ? ENDS_ONCE : undefined);
  if (how === "fresh") return id;
  expect((await board.act(id, "start")).status).toBe(202);
  if (how === "ended") await board.ended(id);
  return id;
}

const perform = (id: string, action: Action) =>
  action === "delete" ? board.server.delete(`/api/tasks/${id}`) : board.act(id, action);

/** Where the task may be once everything has come to rest. */
async function expectLegal(id: string, answers: { action: Action; status: number }[]) {
  const isDeleted = answers.some(({ action, status }) => action === "delete" && status === 200);
  if (isDeleted) {
    expect((await board.server.get(`/api/tasks/${id}`)).status).toBe(404);
    await agentsSettle(id, 0);
    return;
  }
  const task = await board.until(
    id,
    ({ sessionOperation, sessionStatus }) =>
      sessionOperation === null && sessionStatus !== "pending" && sessionStatus !== "provisioning",
  );
  const isLive = task.sessionStatus === "running" || task.sessionStatus === "waiting_for_input";
  if (isLive) expect(task.status).toBe("active");
  if (task.sessionStatus === null) expect(task.sessionId).toBeNull();
  await agentsSettle(id, isLive ? 1 : 0);
}

/** A process that was just killed is still there for a moment, and one that just became another has no environment. */
async function agentsSettle(id: string, count: number) {
  while (board.agentsOf(id).length !== count) await Bun.sleep(5);
}

describe("any two things asked for at the same moment leave a legal state", () => {
  const pairs = ACTIONS.flatMap((one, i) => ACTIONS.slice(i).map((two) => [one, two] as const));
  for (const [turn, how] of PREPARED.entries()) {
    test(`on a task that is ${how}`, async () => {
      for (const [i, pair] of pairs.entries()) {
        if (!DEPTH.everyPairInEveryState && i % PREPARED.length !== turn) continue;
        const id = await prepared(how);
        const answers = await Promise.all(
          pair.map(async (action) => ({ action, status: (await perform(id, action)).status })),
        );
        for (const { action, status } of answers) {
          if (![ACCEPTED[action], 404, 409, 422].includes(status))
            throw new Error(`${how}: ${action} gave ${status}`);
        }
        try {
          await expectLegal(id, answers);
        } catch (cause) {
          throw new Error(`${how}: ${pair.join(" and ")} gave ${JSON.stringify(answers)}`, { cause });
        }
        const { status } = await board.task(id);
        if (status !== undefined) await board.act(id, "complete");
      }
    }, 120_000);
  }
});

test("a start that is overtaken by a deletion does not start anything", async () => {
  for (let round = 0; round < DEPTH.overtakenStarts; round += 1) {
    const { id } = await board.addTask();
    const [start, remove] = await Promise.all([board.act(id, "start"), perform(id, "delete")]);
    if (remove.status === 200) expect(start.status).toBe(404);
    else expect([start.status, remove.status]).toEqual([202, 409]);
    if (remove.status !== 200) await board.act(id, "complete");
    else await agentsSettle(id, 0);
  }
});
