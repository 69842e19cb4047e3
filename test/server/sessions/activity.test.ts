// Agents that tell nothing of themselves: what they do is seen from their screen and their silence.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { gate } from "../../support/gate.ts";
import { SessionBoard } from "../../support/sessions.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

/** Everything the row says from the start to the first that fits; the rest is run once it is seen to work. */
async function history(rest: string, fits: (task: TaskRow) => boolean) {
  using begun = gate();
  const { id } = await board.addTask(`echo works; ${begun.wait}; ${rest}`);
  using events = await board.server.events();
  await board.act(id, "start");
  const until = (holds: typeof fits) =>
    events.until(({ type, data }) => type === "task" && data.id === id && holds(data as unknown as TaskRow));
  const seen = await until(({ activity }) => activity?.kind === "working");
  await begun.open();
  seen.push(...(await until(fits)));
  const rows = seen.filter(({ data }) => data.id === id).map(({ data }) => data as unknown as TaskRow);
  const steps = rows.map(({ sessionStatus, activity }) =>
    activity === null ? String(sessionStatus) : `${sessionStatus} ${activity.kind}`,
  );
  return { id, task: rows.at(-1) as TaskRow, steps: steps.filter((step, i) => step !== steps[i - 1]) };
}

const BEGUN = ["pending", "provisioning", "running working"];

test("one that asks", async () => {
  const { id, task, steps } = await history(
    'printf "Go on? [y/N] "; read answer; echo on; exec sleep 1000',
    ({ activity }) => activity?.kind === "question",
  );
  expect(task).toMatchObject({
    sessionStatus: "waiting_for_input",
    activity: { reason: "Go on? [y/N]", until: null },
    asks: null,
  });
  expect(steps).toEqual([...BEGUN, "waiting_for_input question"]);
  expectFailure(
    await board.server.post(`/api/tasks/${id}/session/answer`, { ask: "x", decision: "allow" }),
    "conflict",
    "no longer being asked",
  );
  // A restart finds it where it was, without a moment of anything else.
  await board.server.restart();
  expect((await board.task(id)).activity).toEqual(task.activity);
  await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "y", submit: true });
  await board.until(id, ({ activity, asks }) => activity?.kind === "working" && asks === null);
  await board.act(id, "stop");
  expect(await board.ended(id)).toMatchObject({ activity: null, asks: null });
});

test("one that says what it does", async () => {
  const say = String.raw`say() { printf '\033]7501;%s\007' "$1"; }; `;
  const { id, task, steps } = await history(
    `${say}say state=working; say state=blocked:kind=permission:msg=cnVuIGl0; read answer; say state=working:id=shell:title=dGVzdHM=; say state=done; exec sleep 1000`,
    ({ activity }) => activity?.kind === "permission",
  );
  expect(steps).toEqual([...BEGUN, "waiting_for_input permission"]);
  expect(task).toMatchObject({ activity: { reason: "run it" }, asks: null });
  await board.server.restart();
  expect((await board.task(id)).activity).toEqual(task.activity);
  await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "y", submit: true });
  const over = await board.until(id, ({ activity }) => activity?.kind === "background");
  expect(over).toMatchObject({
    sessionStatus: "waiting_for_input",
    activity: { reason: "Still running: tests." },
  });
  await board.act(id, "stop");
  await board.ended(id);
});

test("one that is tried again has done nothing yet, and works from then on", async () => {
  const first = await board.running();
  expect(first.activity?.kind).toBe("working");
  expect((await board.act(first.id, "retry")).body).toMatchObject({
    sessionStatus: "pending",
    activity: null,
    asks: null,
  });
  const { activity, sessionStartedAt } = await board.until(
    first.id,
    ({ sessionStatus, sessionId }) => sessionStatus === "running" && sessionId !== first.sessionId,
  );
  expect(activity?.kind).toBe("working");
  expect((activity?.since ?? "") >= (sessionStartedAt ?? "none")).toBe(true);
});

test("one at its input box has finished, and a shell at its prompt is idle", async () => {
  const rule = "────────────────────────────────────────";
  const box = await history(
    `printf '${rule}\\n> \\n${rule}\\n\\033[2A\\033[3G'; exec sleep 1000`,
    ({ activity }) => activity?.kind === "finished",
  );
  expect(box.steps).toEqual([...BEGUN, "waiting_for_input finished"]);
  const shell = await history(
    "printf 'me@desk:~$ '; exec sleep 1000",
    ({ activity }) => activity?.kind === "idle",
  );
  expect(shell.steps).toEqual([...BEGUN, "waiting_for_input idle"]);
});

test("one that works in silence works", async () => {
  const { id, steps } = await history("sleep 2; exit 3", ({ sessionStatus }) => sessionStatus === "failed");
  expect(steps).toEqual([...BEGUN, "failed"]);
  expectFailure(
    await board.server.post("/api/tasks/nobody/session/answer", { ask: "x", decision: "allow" }),
    "not_found",
    "task",
  );
  expect((await board.logs(id))[0]).toMatchObject({ costUsd: null, model: null, lastReply: null });
});
