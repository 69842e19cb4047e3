// The server is killed with -9 after each single step of the actions that take several, then started again. Which steps
// there are is found out by taking each action once. Steps that several actions take are shared out among these, unless
// every one is to be tried in every action (DEPTH).

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { readDatabase } from "../../support/database.ts";
import { DEPTH } from "../../support/depth.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { expectWork, leaveWork, type Work } from "../../support/work.ts";

setDefaultTimeout(300_000);

/** Counts without a gap, in a file and on the screen, says which session it is, and asks when it is told to. */
const COUNTING =
  ': >> "$HOME/count-$BANTO_SESSION_ID"; echo "$BANTO_SESSION_ID" >> "$HOME/launched"; i=0; while [ ! -e "$HOME/ask-$BANTO_SESSION_ID" ]; do i=$((i+1)); echo "$i" >> "$HOME/count-$BANTO_SESSION_ID"; echo "line $i"; sleep 0.05; done; printf "Go on? [y/N] "; read answer';

interface Scene {
  board: SessionBoard;
  task: TaskRow;
  work?: Work | undefined;
}

interface Action {
  /** Brings a task to where the action can be asked for. */
  prepare(board: SessionBoard): Promise<Omit<Scene, "board">>;
  /** Undefined: nobody was told that it was accepted. */
  ask(scene: Scene): Promise<number | undefined>;
  /** What must be true once it has been accepted and everything has come to rest. */
  holds(scene: Scene, after: TaskRow | undefined): Promise<void> | void;
}

const answered = async (request: Promise<{ status: number }>) => {
  try {
    return (await request).status;
  } catch (error) {
    if (!["ECONNRESET", "ECONNREFUSED"].includes((error as { code?: string }).code ?? "")) throw error;
    return undefined; // killed before it could answer
  }
};

const act = (name: string) => (scene: Scene) => answered(scene.board.act(scene.task.id, name));

const fresh = async (board: SessionBoard) => ({ task: await board.addTask(COUNTING) });

async function working(board: SessionBoard) {
  const task = await board.running(COUNTING);
  return { task, work: await leaveWork(task.worktreePath ?? "") };
}

async function stopped(board: SessionBoard) {
  const { task, work } = await working(board);
  await board.act(task.id, "stop");
  return { task: await board.ended(task.id), work };
}

async function completed(board: SessionBoard) {
  const { task, work } = await working(board);
  await board.act(task.id, "complete");
  return { task, work };
}

/** The card goes on saying what its agent does. */
async function followsAgent({ board }: Scene, { id, sessionId }: TaskRow): Promise<void> {
  writeFileSync(join(board.server.home, `ask-${sessionId}`), "");
  await board.until(id, ({ sessionStatus }) => sessionStatus === "waiting_for_input");
}

const ACTIONS: Record<string, Action> = {
  start: {
    prepare: fresh,
    ask: act("start"),
    async holds(scene, after) {
      expect(after?.sessionStatus).toBe("running");
      await followsAgent(scene, after ?? scene.task);
    },
  },
  stop: {
    prepare: working,
    ask: act("stop"),
    holds: (_scene, after) =>
      expect(after).toMatchObject({ sessionStatus: "failed", sessionError: "Stopped." }),
  },
  resume: {
    prepare: stopped,
    ask: act("resume"),
    holds: (_scene, after) => expect(after?.sessionStatus).toBe("running"),
  },
  retry: {
    prepare: working,
    ask: act("retry"),
    async holds(scene, after) {
      expect(after?.sessionStatus).toBe("running");
      expect(after?.sessionId).not.toBe(scene.task.sessionId);
      await followsAgent(scene, after ?? scene.task);
    },
  },
  complete: {
    prepare: working,
    ask: act("complete"),
    holds: (_scene, after) =>
      expect(after).toMatchObject({ status: "done", sessionStatus: null, worktreePath: null }),
  },
  delete: {
    prepare: stopped,
    ask: ({ board, task }) => answered(board.server.delete(`/api/tasks/${task.id}`)),
    holds: (_scene, after) => expect(after).toBeUndefined(),
  },
  "undo of delete": {
    async prepare(board) {
      const { task, work } = await stopped(board);
      await board.server.delete(`/api/tasks/${task.id}`);
      return { task, work };
    },
    ask: ({ board, task }) => answered(board.server.post(`/api/tasks/${task.id}/restore`)),
    holds: ({ task }, after) => expect(after?.worktreePath).toBe(task.worktreePath),
  },
  restore: {
    prepare: completed,
    async ask({ board, task }) {
      const [log] = await board.logs(task.id);
      return answered(board.server.post(`/api/tasks/${task.id}/session-logs/${log?.id}/restore`));
    },
    holds: ({ task }, after) => expect(after?.worktreePath).toBe(task.worktreePath),
  },
  reopen: {
    prepare: completed,
    ask: ({ board, task }) => answered(board.server.post(`/api/tasks/${task.id}/reopen`)),
    holds: ({ task: { worktreePath, position } }, after) =>
      expect(after).toMatchObject({ status: "active", worktreePath, position }),
  },
  "end of an agent": {
    prepare: async (board) => ({
      task: await board.running("echo on; while [ ! -e go ]; do sleep 0.01; done; exit 0"),
    }),
    async ask({ board, task }) {
      appendFileSync(join(task.worktreePath ?? "", "go"), "");
      await board.ended(task.id).catch(() => undefined);
      return 202;
    },
    holds: (_scene, after) => expect(after?.sessionStatus).toBe("done"),
  },
};

const ACCEPTED = [200, 201, 202];

/** Everything that may never happen, whatever was going on when the server died. */
async function expectNothingLost({ board, task, work }: Scene, after: TaskRow | undefined): Promise<void> {
  expect(readDatabase(board.server).integrity).toEqual([["ok"]]);
  const isLive = after?.sessionStatus === "running" || after?.sessionStatus === "waiting_for_input";
  expect(board.agentsOf(task.id).length).toBe(isLive ? 1 : 0);
  expectEachLaunchedOnce(board);
  if (work === undefined) return;
  const inPlace = after?.worktreePath;
  const place = inPlace && existsSync(join(inPlace, ".env")) ? inPlace : await bringBack(board, task);
  await expectWork(place, work);
}

async function bringBack(board: SessionBoard, task: TaskRow): Promise<string> {
  if ((await board.server.get(`/api/tasks/${task.id}`)).status === 404) {
    const { body } = await board.server.post<TaskRow>(`/api/tasks/${task.id}/restore`);
    return body.worktreePath ?? "";
  }
  const log = (await board.logs(task.id)).find(({ sessionId }) => sessionId === task.sessionId);
  return board.restore(task.id, log);
}

function expectEachLaunchedOnce(board: SessionBoard) {
  const file = join(board.server.home, "launched");
  const launched = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  expect(new Set(launched).size).toBe(launched.length);
  for (const sessionId of launched) {
    const count = readFileSync(join(board.server.home, `count-${sessionId}`), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    expect(count).toEqual(count.map((_, i) => String(i + 1)));
  }
}

/** The task once nothing is under way any more; undefined when it is deleted. */
async function atRest(board: SessionBoard, id: string): Promise<TaskRow | undefined> {
  if ((await board.server.get(`/api/tasks/${id}`)).status === 404) {
    using events = await board.server.events();
    if (isAtRest(board, id)) return undefined;
    await events.until(({ data }) => data.id === id && data.sessionOperation === null);
    return undefined;
  }
  return board.until(
    id,
    ({ sessionOperation, sessionStatus }) =>
      sessionOperation === null && sessionStatus !== "pending" && sessionStatus !== "provisioning",
  );
}

/** Of a deleted task only the database tells. */
const isAtRest = (board: SessionBoard, id: string) =>
  readDatabase(board.server).tasks.find((task) => task.id === id)?.sessionOperation === null;

const stepsIn = (output: string) =>
  [...output.matchAll(/^checkpoint (.*)$/gm)].map((match) => match[1] ?? "");

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

/** Performs an action on a server that dies at a step, or doesn't; says which steps it took. */
async function perform(action: Action, fatalStep: string | undefined): Promise<string[]> {
  const scene: Scene = { board, ...(await action.prepare(board)) };
  await board.server.arm(fatalStep ?? "none");
  const before = board.server.output.length;
  const status = await action.ask(scene);
  const died = status === undefined || (await diesBeforeRest(scene));
  expect(died).toBe(fatalStep !== undefined);
  const steps = stepsIn(board.server.output.slice(before));
  if (died) await board.server.restart();
  const after = await atRest(board, scene.task.id);
  if (status !== undefined && ACCEPTED.includes(status)) await action.holds(scene, after);
  await expectNothingLost(scene, after);
  if (after !== undefined) await board.act(scene.task.id, "complete");
  return steps;
}

/** The steps of each action. */
const taken: Record<string, string[]> = {};

const count = (steps: Record<string, string[]>, name: string) => steps[name]?.length ?? 0;

/** The steps at which an action is killed: its own, and its share of those that others take too. */
function stepsToDieAt(name: string): string[] {
  if (DEPTH.everyStepOfEveryAction) return taken[name] ?? [];
  const killed: Record<string, string[]> = Object.fromEntries(Object.keys(taken).map((key) => [key, []]));
  for (const step of new Set(Object.values(taken).flat())) {
    const candidates = Object.keys(taken).filter((key) => taken[key]?.includes(step));
    const [least = ""] = candidates.toSorted(
      (a, b) => count(killed, a) - count(killed, b) || count(taken, a) - count(taken, b),
    );
    killed[least]?.push(step);
  }
  return killed[name] ?? [];
}

test.each(Object.entries(ACTIONS))("%s comes to rest by itself", async (name, action) => {
  taken[name] = await perform(action, undefined);
  process.stdout.write(`  ${name}: ${taken[name].join(", ")}\n`);
});

describe("kill -9 after each step loses nothing and doubles nothing", () => {
  test.each(Object.entries(ACTIONS))("of %s", async (name, action) => {
    const steps = stepsToDieAt(name);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      try {
        await perform(action, step);
      } catch (cause) {
        throw new Error(`killed after ${step}, of ${name}`, { cause });
      }
    }
  });
});

/** Whether the step at which the server dies comes before all is done. */
async function diesBeforeRest({ board, task }: Scene): Promise<boolean> {
  try {
    await atRest(board, task.id);
    // What follows the last change of the row: the host is let go, the files are tidied up.
    await board.server.get("/api/health");
    return false;
  } catch (error) {
    if ((error as Error).message.includes("the events ended")) return true;
    if (["ECONNRESET", "ECONNREFUSED"].includes((error as { code?: string }).code ?? "")) return true;
    throw error;
  }
}
