import { expect, test } from "bun:test";
import type { Task } from "../../../src/client/shared/api/rows.ts";
import {
  needsPerson,
  openPrompts,
  promptWords,
  sendWords,
  sentPrompt,
} from "../../../src/client/tasks/prompts.ts";
import type { ActivityKind, AgentActivity, QueuedPrompt } from "../../../src/contract.ts";
import { NOW, task } from "../support/task.ts";

const prompt = (id: string, fields: Partial<QueuedPrompt> = {}): QueuedPrompt => ({
  ...{ id, sessionId: "s", text: id, state: "queued", reason: null, at: NOW },
  ...fields,
});

const doing = (kind: ActivityKind, activity: Partial<AgentActivity>, ...prompts: QueuedPrompt[]): Task =>
  task("t", {
    sessionId: "s",
    sessionStatus: kind === "working" ? "running" : "waiting_for_input",
    activity: { ...{ kind, reason: null, since: NOW, until: null }, ...activity },
    prompts,
  });

const said = (of: Task) => openPrompts(of).map((one) => promptWords(of, one));

test("a prompt that waits says for what", () => {
  const one = prompt("one");
  expect(said(doing("working", {}, one))).toEqual(["Queued. Goes out when the turn is over."]);
  expect(said(doing("question", { held: "A dialog is open." }, one))).toEqual(["Queued. A dialog is open."]);
  expect(said(doing("limited", {}, one))).toEqual(["Queued. Goes out once the agent can go on."]);
  expect(said(doing("finished", {}, one))).toEqual(["Queued. Goes out in a moment."]);
  const typed = prompt("one", { reason: "Something is typed in its prompt box." });
  expect(said(doing("finished", {}, typed))).toEqual(["Queued. Something is typed in its prompt box."]);
  expect(said(doing("finished", {}, one, prompt("two")))[1]).toBe(
    "Queued. Goes out after the one before it.",
  );
  expect(said(doing("working", {}, prompt("one", { state: "typing" })))).toEqual(["Being typed…"]);
});

test("what did not arrive, or nobody knows of, waits for a person, and so does what is behind it", () => {
  const refused = prompt("one", { state: "refused", reason: "The agent didn't take it." });
  const unsure = prompt("one", { state: "unsure", reason: "banto was stopped." });
  const other = prompt("one", { sessionId: "before" });
  const all = [refused, unsure, other].map((one) => doing("finished", {}, one, prompt("two")));
  expect(all.map((of) => said(of)[0])).toEqual([
    "Not sent. The agent didn't take it.",
    "May have been sent. banto was stopped.",
    "Not sent: its session has ended.",
  ]);
  expect(all.map((of) => said(of)[1])).toEqual(
    Array(3).fill("Queued. Decide about the one before it first."),
  );
  expect(all.map((of) => openPrompts(of).map((one) => needsPerson(of, one)))).toEqual(
    Array(3).fill([true, false]),
  );
  expect(all.map((of) => openPrompts(of).map((one) => sendWords(of, one))[0])).toEqual([
    "Send",
    "Send again",
    "Send",
  ]);
});

test("one can be sent at once where that changes something", () => {
  const words = (of: Task) => openPrompts(of).map((one) => sendWords(of, one));
  expect(words(doing("working", {}, prompt("one"), prompt("two")))).toEqual(["Send now", "Send now"]);
  expect(words(doing("working", {}, prompt("one", { now: true })))).toEqual([undefined]);
  expect(words(doing("question", { held: "A dialog is open." }, prompt("one")))).toEqual([undefined]);
  expect(words(doing("finished", {}, prompt("one", { state: "typing" })))).toEqual([undefined]);
  const over = { ...doing("finished", {}, prompt("one")), sessionStatus: "done" as const };
  expect(words(over)).toEqual([undefined]);
});

test("the receipt is of this session, and no longer waits", () => {
  const sent = prompt("sent", { state: "accepted" });
  const of = doing("working", {}, sent, prompt("next"));
  expect(sentPrompt(of)).toBe(sent);
  expect(openPrompts(of).map(({ id }) => id)).toEqual(["next"]);
  expect(promptWords(of, sent)).toBe("The agent has it.");
  expect(sentPrompt({ ...of, sessionId: "another" })).toBeUndefined();
});
