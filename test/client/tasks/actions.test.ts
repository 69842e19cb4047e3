import { expect, test } from "bun:test";
import type { Task } from "../../../src/client/shared/api/rows.ts";
import { availableActions } from "../../../src/client/tasks/actions.ts";
import { task } from "../support/task.ts";

const AROUND = { baseBranch: "trunk", agent: { label: "Claude", canResume: true } };

const actions = (fields: Partial<Task>, around = AROUND) =>
  availableActions(task("t", { status: "active", ...fields }), around);
const labels = (fields: Partial<Task>, around = AROUND) => actions(fields, around).map(({ label }) => label);
const words = (fields: Partial<Task>, action: string) =>
  actions(fields).find((each) => each.action === action)?.does;

const STOPPED = { sessionStatus: "failed", sessionError: "Stopped.", worktreePath: "/w" } as const;

test("what makes sense is offered, the likeliest first", () => {
  expect(labels({})).toEqual(["Start"]);
  expect(labels({ sessionStatus: "running", worktreePath: "/w" })).toEqual(["Stop", "Complete", "Retry"]);
  expect(labels(STOPPED)).toEqual(["Resume", "Retry", "Complete"]);
  expect(labels({ sessionStatus: "done", worktreePath: "/w" })).toEqual(["Complete", "Resume", "Retry"]);
  expect(labels({ worktreePath: "/w" })).toEqual(["Resume", "Start", "Complete"]);
});

test("while something is under way only a start can be called off", () => {
  expect(labels({ sessionStatus: "pending", sessionOperation: "start" })).toEqual(["Stop"]);
  for (const sessionOperation of ["stop", "archive", "restore"] as const) {
    expect(labels({ ...STOPPED, sessionOperation })).toEqual([]);
  }
});

test("an agent that can't resume is not asked to", () => {
  const around = { ...AROUND, agent: { label: "Odd", canResume: false } };
  expect(labels(STOPPED, around)).toEqual(["Retry", "Complete"]);
});

test("outside Active what starts an agent says that the card moves", () => {
  expect(labels({ status: "backlog" })).toEqual(["Move to Active and start"]);
});

test("a card in Done is not asked to run again: first comes what ends it, or brings it back", () => {
  expect(labels({ ...STOPPED, status: "done" })).toEqual([
    "Complete",
    "Move to Active and resume",
    "Move to Active and retry",
  ]);
  const completedFrom = { status: "active", position: "a0", hadWorktree: true } as const;
  expect(labels({ status: "done", completedFrom })).toEqual(["Reopen", "Move to Active and start"]);
  expect(words({ status: "done", completedFrom }, "reopen")).toBe(
    "The card goes back to Active, with its worktree.",
  );
  expect(words({ status: "done", completedFrom: { ...completedFrom, hadWorktree: false } }, "reopen")).toBe(
    "The card goes back to Active.",
  );
});

test("each says what it will do, and what is kept where", () => {
  expect(words({}, "start")).toBe("Starts Claude in its own worktree, on a new branch from trunk.");
  expect(words({ worktreePath: "/w" }, "start")).toBe("Starts Claude again in the existing worktree.");
  expect(words(STOPPED, "retry")).toBe("Fresh worktree from trunk. This one goes to the trash for 30 days.");
  expect(words({ ...STOPPED, worktreePath: null }, "retry")).toBe("Fresh worktree from trunk.");
  expect(words({ sessionStatus: "running", worktreePath: "/w" }, "complete")).toBe(
    "Stops the agent. The worktree goes to the trash for 30 days, the card moves to Done.",
  );
});
