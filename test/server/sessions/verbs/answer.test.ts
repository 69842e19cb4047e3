// Answers that no host holds a request for: given by the agent's channel, or typed at its dialog.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Delivery, KeyStep, Observation } from "../../../../src/server/agents/reading.ts";
import type { NewEntry } from "../../../../src/server/audit/audit.ts";
import { createKeyedQueue } from "../../../../src/server/keyed-queue.ts";
import { answerAgent } from "../../../../src/server/sessions/verbs/answer.ts";
import { typeSteps } from "../../../../src/server/sessions/verbs/type-steps.ts";
import { startHost, type TestHost } from "../../../host/support/host.ts";
import { watch } from "../../../host/support/watcher.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

/** Asks twice, by single keys, and then has an input box. */
const DIALOGS = [
  "stty raw -echo",
  String.raw`printf 'Run it?\r\n1. Yes\r\n2. No\r\n'; a=$(dd bs=1 count=1 2>/dev/null)`,
  String.raw`sleep 0.1; printf '\033[H\033[JSure?\r\n1. Go\r\n'; b=$(dd bs=1 count=1 2>/dev/null)`,
  String.raw`printf '%s' "$a$b" >answer; printf '\033[H\033[Jover> '; cat >typed`,
].join("; ");

const shows =
  (text: string): KeyStep["when"] =>
  (screen) =>
    screen.text.includes(text);
const YES = { keys: "1", when: shows("Run it?") };
const GO = { keys: "1", when: shows("Sure?") };

async function asking(): Promise<TestHost & { client: Awaited<ReturnType<TestHost["connect"]>> }> {
  const host = await startHost(["sh", "-c", DIALOGS]);
  const viewer = await watch(host);
  await viewer.sees("2. No");
  return { ...host, client: viewer.client };
}

const typed = (host: TestHost, file: string) => readFileSync(join(host.dir, file), "utf8");
const until = async (host: { client: { screen(): Promise<{ text: string }> } }, text: string) => {
  while (!(await host.client.screen()).text.includes(text)) await Bun.sleep(10);
};

test("keys are typed one after the other, each at the dialog that it is for", async () => {
  await using host = await asking();
  expect(await typeSteps(host.client, [YES, GO])).toBe(true);
  await until(host, "over>");
  expect(typed(host, "answer")).toBe("11");
});

test("nothing is typed once the dialog has gone", async () => {
  await using host = await asking();
  host.client.send("22");
  await until(host, "over>");
  expect(await typeSteps(host.client, [YES, GO])).toBe(false);
  expect(typed(host, "typed")).toBe("");
});

test("an answer of which only the first part was taken is told as that", async () => {
  await using host = await asking();
  const other = { keys: "1", when: shows("a dialog that never comes") };
  expect(typeSteps(host.client, [YES, other])).rejects.toThrow("Only part of the answer");
  await until(host, "Sure?");
});

const TASK = { id: "task", projectId: "project", sessionId: "session", asks: { id: "a" } as never };
const WHO = { by: "token", name: "a script with the token", login: null } as const;
const ANSWER = { ask: "a", decision: "allow" } as const;

function scene(delivery: Delivery, host: object, channel?: object) {
  const observed: Observation[] = [];
  const written: string[] = [];
  const parts = {
    audit: { add: ({ action }: NewEntry) => ({ id: written.push(action) }) },
    trail: { over: () => written.push("over") },
    watch: { host: () => host },
    readings: { answer: () => delivery, observe: (_: unknown, one: Observation) => observed.push(one) },
    channels: { of: () => channel },
    typing: createKeyedQueue(),
  };
  const answer = () => answerAgent(parts as never, TASK, ANSWER, WHO);
  return { answer, observed, written };
}

test("what was typed is observed as answered, and too late it is refused", async () => {
  await using host = await asking();
  const { answer, observed } = scene({ via: "keys", steps: [YES, GO] }, host.client);
  await answer();
  expect(observed).toMatchObject([{ type: "over", ask: "a", how: "answered" }]);
  await until(host, "over>");
  expect(answer()).rejects.toThrow("already answered");
  expect(observed).toHaveLength(1);
});

test("a channel is given its answer, and says whether that was in time", async () => {
  const given: unknown[] = [];
  const channel = {
    async answer(body: unknown) {
      given.push(body);
      return given.length === 1;
    },
  };
  const { answer, observed, written } = scene({ via: "channel", body: { yes: 1 } }, {}, channel);
  await answer();
  await expect(answer()).rejects.toThrow("already answered");
  expect(written).toEqual(["answer", "answer", "answer_too_late", "over"]);
  expect(given).toEqual([{ yes: 1 }, { yes: 1 }]);
  expect(observed).toMatchObject([{ type: "over", ask: "a", how: "answered" }]);
  expect(scene({ via: "channel", body: 1 }, {}).answer()).rejects.toThrow("already answered");
});
