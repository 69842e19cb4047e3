import { expect, test } from "bun:test";
import { inverse, isAsLeft, undoneWords } from "../../../src/client/tasks/inverse.ts";
import { task } from "../support/task.ts";

const card = task("card", { status: "active", position: "a5", title: "Old", pinned: true });

test("a move is taken back to the column and the place it came from", () => {
  expect(inverse(card, { status: "done", position: "a0" })).toEqual({ status: "active", position: "a5" });
  expect(inverse(card, { status: "done" })).toEqual({ status: "active", position: "a5" });
  expect(inverse(card, { position: "a0" })).toEqual({ position: "a5" });
});

test("an edit is taken back to what was there, and nothing else is touched", () => {
  expect(inverse(card, { title: "New" })).toEqual({ title: "Old" });
  expect(inverse(card, { pinned: false })).toEqual({ pinned: true });
  expect(inverse(card, { description: "x" })).toEqual({ description: null });
});

test("what somebody has changed since is not overwritten; a place may be another one by now", () => {
  expect(isAsLeft({ ...card, title: "New" }, { title: "New" })).toBe(true);
  expect(isAsLeft({ ...card, title: "Newer" }, { title: "New" })).toBe(false);
  expect(isAsLeft({ ...card, status: "done", position: "a9" }, { status: "done", position: "a0" })).toBe(
    true,
  );
  const agentOptions = { model: "opus" };
  expect(isAsLeft({ ...card, agentOptions: { ...agentOptions } }, { agentOptions })).toBe(true);
});

test("what was undone is said", () => {
  expect(undoneWords(card, { status: "backlog", position: "a" })).toBe("“Old” is back in Backlog.");
  expect(undoneWords(card, { position: "a" })).toBe("“Old” is back in its place.");
  expect(undoneWords(card, { title: "Older" })).toBe("The title is “Older” again.");
  expect(undoneWords(card, { pinned: false })).toBe("“Old” is no longer pinned.");
  expect(undoneWords(card, { description: "" })).toBe("“Old” is as it was before.");
});
