import { expect, test } from "bun:test";
import { keyed } from "../../../../src/client/shared/api/keyed.ts";

const keyOf = (...asked: Parameters<typeof keyed>) => keyed(...asked).headers["idempotency-key"];

test("every try of a change has the same key, and every change another one", () => {
  const [change, other] = [{ title: "A" }, { title: "A" }];
  expect(keyOf(change)).toBe(keyOf(change));
  expect(keyOf(change)).not.toBe(keyOf(other));
});

test("each request of one change has a key of its own", () => {
  const change = {};
  expect(new Set([keyOf(change), keyOf(change, "task"), keyOf(change, "project")]).size).toBe(3);
  expect(keyOf(change, "task")).toBe(keyOf(change, "task"));
});
