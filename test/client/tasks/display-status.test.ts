import { expect, test } from "bun:test";
import type { Task } from "../../../src/client/shared/api/rows.ts";
import {
  askOf,
  displayStatus,
  failureOf,
  since,
  takesPrompt,
  wantsPrompt,
} from "../../../src/client/tasks/display-status.ts";
import { ACTIVITY_KINDS, type ActivityKind } from "../../../src/contract.ts";
import { task } from "../support/task.ts";

const shown = (fields: Partial<Task>) => {
  const { group, word } = displayStatus(task("t", { status: "active", ...fields }));
  return `${group}: ${word}`;
};

test("every state of a session has a group and a word", () => {
  expect(shown({})).toBe("idle: Not started");
  expect(shown({ worktreePath: "/w" })).toBe("idle: Restored");
  expect(shown({ sessionStatus: "pending" })).toBe("working: Starting…");
  expect(shown({ sessionStatus: "provisioning" })).toBe("working: Starting…");
  expect(shown({ sessionStatus: "running" })).toBe("working: Working");
  expect(shown({ sessionStatus: "waiting_for_input" })).toBe("needs: Needs you");
  expect(shown({ sessionStatus: "done" })).toBe("finished: Finished");
  expect(shown({ sessionStatus: "failed", sessionError: "why" })).toBe("failed: Failed");
  expect(shown({ sessionStatus: "failed", sessionError: "Stopped." })).toBe("idle: Stopped");
});

test("what is under way says so, and stands where it will be in a moment", () => {
  expect(shown({ sessionStatus: "pending", sessionOperation: "start" })).toBe("working: Starting…");
  expect(shown({ sessionStatus: "waiting_for_input", sessionOperation: "stop" })).toBe("idle: Stopping…");
  expect(shown({ sessionStatus: "pending", sessionOperation: "archive" })).toBe("working: Archiving…");
  expect(shown({ sessionStatus: "done", sessionOperation: "archive" })).toBe("finished: Archiving…");
  expect(shown({ sessionOperation: "restore" })).toBe("idle: Restoring…");
});

const SINCE = "2026-01-01T10:00:00.000Z";
const ASK = {
  id: "ask",
  tool: "Bash",
  summary: "npm test",
  detail: "npm test",
  always: null,
  questions: null,
  canAnswer: true,
};
const doing = (kind: ActivityKind, fields: Partial<Task> = {}): Partial<Task> => ({
  sessionStatus: kind === "working" ? "running" : "waiting_for_input",
  activity: { kind, reason: null, since: SINCE, until: null },
  ...fields,
});

test("what an agent is doing has a word and a shape of its own", () => {
  expect(shown(doing("working"))).toBe("working: Working");
  expect(shown(doing("permission"))).toBe("needs: Needs permission");
  expect(shown(doing("question"))).toBe("needs: Has a question");
  expect(shown(doing("trouble"))).toBe("needs: Blocked");
  expect(shown(doing("finished"))).toBe("finished: Turn finished");
  expect(shown(doing("background"))).toBe("finished: Background work");
  expect(shown(doing("limited"))).toBe("idle: Rate-limited");
  expect(shown(doing("idle"))).toBe("idle: Idle");
  const shapes = ACTIVITY_KINDS.map((kind) => displayStatus(task("t", doing(kind))).shape);
  expect(new Set(shapes).size).toBe(ACTIVITY_KINDS.length);
});

test("what is left of an agent that has ended or only just starts says nothing", () => {
  expect(shown(doing("permission", { sessionStatus: "failed", sessionError: "why" }))).toBe("failed: Failed");
  expect(shown(doing("finished", { sessionStatus: "pending" }))).toBe("working: Starting…");
});

test("since when is when the agent came to it, whatever else changed on the card", () => {
  const updatedAt = "2026-01-01T11:00:00.000Z";
  expect(since(task("t", doing("permission", { updatedAt })))).toBe(SINCE);
  expect(since(task("t", { sessionStatus: "waiting_for_input", updatedAt }))).toBe(updatedAt);
});

test("what is asked can be answered only while it is asked, and otherwise an agent takes prompts for now or later", () => {
  expect(askOf(task("t", doing("permission", { asks: ASK })))).toBe(ASK);
  expect(askOf(task("t", doing("question", { asks: ASK })))).toBe(ASK);
  expect(askOf(task("t", doing("working", { asks: ASK })))).toBeNull();
  expect(askOf(task("t", doing("permission", { asks: ASK, sessionOperation: "stop" })))).toBeNull();
  const taking = ACTIVITY_KINDS.filter((kind) => takesPrompt(task("t", doing(kind))));
  expect(taking).toEqual([...ACTIVITY_KINDS]);
  expect(takesPrompt(task("t", doing("permission", { asks: ASK })))).toBe(false);
  expect(takesPrompt(task("t", doing("idle", { sessionOperation: "stop" })))).toBe(false);
  expect(takesPrompt(task("t", doing("finished", { sessionStatus: "done" })))).toBe(false);
  expect(takesPrompt(task("t", doing("idle", { agent: "shell" })))).toBe(false);
});

test("a prompt is asked for after a turn, and after a failure if it would be taken", () => {
  const wanting = ACTIVITY_KINDS.filter((kind) => wantsPrompt(task("t", doing(kind))));
  expect(wanting).toEqual(["finished", "background", "trouble"]);
  const held = { kind: "trouble", reason: null, since: SINCE, until: null, held: "Log in first." } as const;
  expect(wantsPrompt(task("t", doing("trouble", { activity: held })))).toBe(false);
});

test("a worktree that could not be put away is a failure, whatever became of the session", () => {
  expect(shown({ sessionStatus: "done", worktreePath: "/w", sessionError: "disk full" })).toBe(
    "failed: Failed",
  );
  expect(shown({ worktreePath: "/w", sessionError: "disk full" })).toBe("failed: Failed");
});

test("a failure is its first line, and the output that follows", () => {
  const failed = task("t", { status: "active", sessionStatus: "failed", sessionError: "Code 2.\na\nb" });
  expect(failureOf(failed)).toEqual({ reason: "Code 2.", output: "a\nb" });
  expect(failureOf({ ...failed, sessionError: "Stopped." })).toBeUndefined();
  expect(failureOf({ ...failed, sessionStatus: "running" })).toBeUndefined();
});

test("an activity that this page does not know is shown as what the session's status says", () => {
  const unknown = "dreaming" as ActivityKind;
  expect(shown(doing(unknown))).toBe("needs: Needs you");
  expect(shown(doing(unknown, { sessionStatus: "running" }))).toBe("working: Working");
  expect(shown(doing("constructor" as ActivityKind))).toBe("needs: Needs you");
});

test("a status or an operation that this page does not know is shown by its name", () => {
  const sessionStatus = "put_to_sleep" as "done";
  expect(shown({ sessionStatus })).toBe("idle: Put to sleep");
  expect(shown({ sessionStatus: "done", sessionOperation: "fold" as "stop" })).toBe("finished: Fold…");
});
