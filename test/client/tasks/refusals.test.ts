import { expect, test } from "bun:test";
import { type Refusal, readRefusals, stands } from "../../../src/client/tasks/refusals.ts";
import { task } from "../support/task.ts";

const refusal: Refusal = {
  action: "start",
  reason: "The limit is reached.",
  next: "try-again",
  sessionId: null,
  agent: "claude",
};

test("a refusal stands until a session begins, or another agent is chosen", () => {
  const card = task("card", { agent: "claude" });
  expect(stands(refusal, card)).toBe(true);
  expect(stands(refusal, { ...card, title: "renamed", status: "active" })).toBe(true);
  expect(stands(refusal, { ...card, sessionOperation: "start" })).toBe(false);
  expect(stands(refusal, { ...card, sessionId: "of another window" })).toBe(false);
  expect(stands(refusal, { ...card, agent: "shell" })).toBe(false);
});

test("one about a worktree stands until that is forgotten, or completed in another window", () => {
  const gone: Refusal = { ...refusal, action: "complete", next: "forget" };
  const card = task("card", { agent: "claude", worktreePath: "/worktrees/card" });
  expect(stands(gone, card)).toBe(true);
  expect(stands(gone, { ...card, worktreePath: null })).toBe(false);
  expect(stands({ ...gone, next: "try-again" }, { ...card, worktreePath: null })).toBe(false);
});

test("it outlives a reload; what else is stored there is ignored", () => {
  expect([...readRefusals(JSON.stringify([["card", refusal], 7, ["odd"], ["odder", {}]]))]).toEqual([
    ["card", refusal],
  ]);
  expect(readRefusals(null).size).toBe(0);
  expect(readRefusals('{"a":1}').size).toBe(0);
});
