// Prompts that wait for an agent, through its turns and through kills of the server.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PromptState, QueuedPrompt } from "../../../src/contract.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { until } from "../../host/support/host.ts";
import { expectFailure } from "../../support/board.ts";
import { gate } from "../../support/gate.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(60_000);

const say = (report: string) => `printf '\\033]7501;state=${report}:app=lab\\033\\\\'`;

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

/** Writes down every line it is told, and works on each until its gate is opened. */
async function agent(...gates: { wait: string }[]) {
  const [first, ...turns] = gates.map(({ wait }) => wait);
  const hear = `read -r line; ${say("working")}; printf '%s\\n' "$line" >> said`;
  const script = [
    ...["printf '\\033[?2004hready '", say("working"), first, say("done")],
    ...turns.flatMap((wait) => [hear, wait, say("done")]),
    "exec sleep 1000",
  ];
  const task = await board.addTask(script.join("; "));
  await board.act(task.id, "start");
  const { worktreePath } = await board.until(task.id, ({ activity }) => activity?.kind === "working");
  return {
    id: task.id,
    said: () =>
      readFileSync(join(worktreePath ?? "", "said"), "utf8")
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what is around a paste
        .replaceAll(/\x1b\[20[01]~/g, "")
        .split("\n")
        .slice(0, -1),
    send: (text: string) => board.server.post<TaskRow>(`/api/tasks/${task.id}/prompts`, { text }),
    prompts: async () => (await board.server.get<QueuedPrompt[]>(`/api/tasks/${task.id}/prompts`)).body,
    /** Each one's text and state. */
    shows: (...states: [text: string, state: PromptState][]) =>
      board.until(
        task.id,
        ({ prompts }) =>
          JSON.stringify((prompts ?? []).map(({ text, state }) => [text, state])) === JSON.stringify(states),
      ),
  };
}

/** The server has died at this step. */
async function restartAfter(step: string): Promise<void> {
  await until(() => board.server.output.includes(`checkpoint ${step}\n`), step);
  await board.server.restart();
}

const idOf = ({ prompts }: TaskRow, text: string) => prompts?.find((one) => one.text === text)?.id ?? "";

test("what is written while an agent works goes out one by one at the end of each turn, also after a kill", async () => {
  using begun = gate();
  using first = gate();
  using second = gate();
  const it = await agent(begun, first, second);
  const { status, body } = await it.send("One");
  expect(status).toBe(202);
  expect(body.prompts).toMatchObject([
    { text: "One", state: "queued", reason: null, sessionId: body.sessionId },
  ]);
  expect(body.activity?.held).toBe("The agent is still at work.");
  await it.send("Taken back");
  const task = await it.shows(["One", "queued"], ["Taken back", "queued"]);
  await it.send("Two");
  const removed = await board.server.delete(`/api/tasks/${it.id}/prompts/${idOf(task, "Taken back")}`);
  expect(removed.status).toBe(200);
  await board.server.kill("SIGKILL");
  await board.server.restart();
  await it.shows(["One", "queued"], ["Two", "queued"]);
  using events = await board.server.events();
  await begun.open();
  await it.shows(["One", "accepted"], ["Two", "queued"]);
  expect(it.said()).toEqual(["One"]);
  await first.open();
  await it.shows(["Two", "accepted"]);
  expect(it.said()).toEqual(["One", "Two"]);
  const seen = await events.until(({ data }) =>
    JSON.stringify(data).includes('"text":"Two","state":"accepted"'),
  );
  const states = seen.flatMap(
    ({ data }) => (data as unknown as TaskRow).prompts?.find(({ text }) => text === "One")?.state ?? [],
  );
  expect(states.filter((state, i) => state !== states[i - 1])).toEqual(["queued", "typing", "accepted"]);
  await second.open();
});

test("one that was being sent when the server was killed is never sent twice by itself", async () => {
  using begun = gate();
  using first = gate();
  using second = gate();
  const it = await agent(begun, first, second);
  await it.send("Before");
  await board.server.arm("prompt:typing");
  await begun.open();
  await restartAfter("prompt:typing");
  const task = await it.shows(["Before", "unsure"]);
  expect(task.prompts?.[0]?.reason).toStartWith("banto was stopped while it was being sent.");
  // What is behind it waits until a person has decided.
  await it.send("Behind");
  await it.shows(["Before", "unsure"], ["Behind", "queued"]);
  await board.server.arm("prompt:sent");
  expect((await board.server.post(`/api/tasks/${it.id}/prompts/${idOf(task, "Before")}/send`)).status).toBe(
    202,
  );
  await restartAfter("prompt:sent");
  // It works on it, so it took it.
  await it.shows(["Before", "accepted"], ["Behind", "queued"]);
  await first.open();
  await it.shows(["Behind", "accepted"]);
  expect(it.said()).toEqual(["Before", "Behind"]);
  await second.open();
});

test("one whose session has ended stays, and goes to no other by itself", async () => {
  using begun = gate();
  const it = await agent(begun);
  await it.send("For later");
  await board.act(it.id, "stop");
  await board.ended(it.id);
  expectFailure(await it.send("Too late"), "conflict", "no running session");
  await board.act(it.id, "resume");
  const task = await board.until(it.id, ({ sessionStatus }) => sessionStatus === "running");
  expect(task.prompts).toMatchObject([{ text: "For later", state: "queued" }]);
  expect(task.prompts?.[0]?.sessionId).not.toBe(task.sessionId ?? "");
  const answer = await board.server.post(`/api/tasks/${it.id}/prompts/${idOf(task, "For later")}/send`);
  expect(answer.status).toBe(202);
  const after = await board.until(it.id, ({ prompts }) => prompts?.[0]?.now === true);
  expect(after.prompts).toMatchObject([{ text: "For later", state: "queued", sessionId: task.sessionId }]);
});

test("what can't be taken is refused with a reason", async () => {
  using begun = gate();
  const it = await agent(begun);
  expectFailure(await it.send("   "), "invalid", "text: must not be empty.");
  expectFailure(await it.send("\0"), "invalid", "NUL");
  const of = (prompt: string) => `/api/tasks/${it.id}/prompts/${prompt}`;
  expectFailure(await board.server.delete(of("none")), "not_found", "prompt");
  expectFailure(await board.server.post(`${of("none")}/send`), "not_found", "prompt");
  for (let i = 0; i < 20; i++) expect((await it.send(`${i}`)).status).toBe(202);
  expectFailure(await it.send("one more"), "too_many", "20 prompts are waiting already");
  expect(await it.prompts()).toHaveLength(20);
});
