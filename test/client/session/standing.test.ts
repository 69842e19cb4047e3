import { expect, test } from "bun:test";
import type { Task } from "../../../src/client/api/tasks.ts";
import { failureOf, standingOf } from "../../../src/client/session/standing.ts";
import { task } from "../task.ts";

const standing = (fields: Partial<Task>) => {
  const { group, word } = standingOf(task("t", { status: "active", ...fields }));
  return `${group}: ${word}`;
};

test("every state of a session has a group and a word", () => {
  expect(standing({})).toBe("idle: Not started");
  expect(standing({ worktreePath: "/w" })).toBe("idle: Brought back");
  expect(standing({ sessionStatus: "pending" })).toBe("working: Starting…");
  expect(standing({ sessionStatus: "provisioning" })).toBe("working: Starting…");
  expect(standing({ sessionStatus: "running" })).toBe("working: Working");
  expect(standing({ sessionStatus: "waiting_for_input" })).toBe("needs: Needs you");
  expect(standing({ sessionStatus: "done" })).toBe("finished: Finished");
  expect(standing({ sessionStatus: "failed", sessionError: "why" })).toBe("failed: Failed");
  expect(standing({ sessionStatus: "failed", sessionError: "Stopped." })).toBe("idle: Stopped");
});

test("what is under way says so, and stands where it will be in a moment", () => {
  expect(standing({ sessionStatus: "pending", sessionOperation: "start" })).toBe("working: Starting…");
  expect(standing({ sessionStatus: "waiting_for_input", sessionOperation: "stop" })).toBe("idle: Stopping…");
  expect(standing({ sessionStatus: "pending", sessionOperation: "archive" })).toBe("working: Putting away…");
  expect(standing({ sessionStatus: "done", sessionOperation: "archive" })).toBe("finished: Putting away…");
  expect(standing({ sessionOperation: "restore" })).toBe("idle: Bringing back…");
});

test("a worktree that could not be put away is a failure, whatever became of the session", () => {
  expect(standing({ sessionStatus: "done", worktreePath: "/w", sessionError: "disk full" })).toBe(
    "failed: Failed",
  );
  expect(standing({ worktreePath: "/w", sessionError: "disk full" })).toBe("failed: Failed");
});

test("a failure is its first line, and the output that follows", () => {
  const failed = task("t", { status: "active", sessionStatus: "failed", sessionError: "Code 2.\na\nb" });
  expect(failureOf(failed)).toEqual({ reason: "Code 2.", output: "a\nb" });
  expect(failureOf({ ...failed, sessionError: "Stopped." })).toBeUndefined();
  expect(failureOf({ ...failed, sessionStatus: "running" })).toBeUndefined();
});
