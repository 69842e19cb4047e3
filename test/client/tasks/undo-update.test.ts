import { beforeEach, expect, test } from "bun:test";
import type { Task } from "../../../src/client/shared/api/rows.ts";
import { canUndo, undo } from "../../../src/client/shared/stores/undo.ts";
import type { TaskPatch } from "../../../src/client/tasks/change.ts";
import { rememberUpdate, type Undone } from "../../../src/client/tasks/undo-update.ts";
import { task } from "../support/task.ts";

let card: Task;
let undone: Undone[];
beforeEach(() => {
  while (canUndo()) undo();
  card = task("card", { title: "One", description: "a" });
  undone = [];
});

/** Returns what to do if the server refuses it. */
function save(patch: TaskPatch) {
  const before = card;
  const forget = rememberUpdate(before, patch, { shown: () => card, run: (one) => undone.push(one) });
  card = { ...card, ...patch };
  return () => {
    card = { ...card, ...before };
    forget();
  };
}

const patches = () => undone.map((one) => (one.isDone ? one.patch : "changed since"));

test("a description that is saved again and again while it is typed is one edit", () => {
  for (const description of ["ab", "abc"]) save({ description });
  undo();
  expect(patches()).toEqual([{ description: "a" }]);
  expect(canUndo()).toBe(false);
});

test("what the server refused of it is not what was left", () => {
  save({ description: "ab" });
  const refuse = save({ description: "abc" });
  refuse();
  undo();
  expect(patches()).toEqual([{ description: "a" }]);

  const refuseFirst = save({ description: "x" });
  save({ description: "xy" });
  refuseFirst();
  card = { ...card, description: "xy" };
  undo();
  expect(patches().at(-1)).toEqual({ description: "ab" });

  save({ description: "z" })();
  expect(canUndo()).toBe(false);
});

test("two renames are two edits, however close together", () => {
  save({ title: "Two" });
  save({ title: "Three" });
  undo();
  card = { ...card, title: "Two" };
  undo();
  expect(patches()).toEqual([{ title: "Two" }, { title: "One" }]);
});
