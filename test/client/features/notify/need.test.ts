import { expect, test } from "bun:test";
import {
  bodyOf,
  isNew,
  keyOf,
  type Need,
  needOf,
  waysToTell,
} from "../../../../src/client/features/notify/need.ts";
import type { Task } from "../../../../src/client/shared/api/rows.ts";
import type { ActivityKind } from "../../../../src/contract.ts";
import { task } from "../../support/task.ts";

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;
const ask = (id: string) => ({
  id,
  tool: "Bash",
  summary: "npm test",
  detail: "npm test",
  always: null,
  questions: null,
  canAnswer: true,
});

const doing = (kind: ActivityKind, minute = 0, fields: Partial<Task> = {}): Task =>
  task("t", {
    status: "active",
    sessionId: "s",
    sessionStatus: kind === "working" ? "running" : "waiting_for_input",
    activity: { kind, reason: null, since: at(minute), until: null },
    ...fields,
  });

const starts = (before: Task, now: Task) => isNew(needOf(before), needOf(now));

test("what calls for a person, what only ends, and what does neither", () => {
  const kind = (state: Task) => needOf(state)?.kind ?? null;
  expect(["permission", "question", "trouble"].map((what) => kind(doing(what as ActivityKind)))).toEqual([
    "call",
    "call",
    "call",
  ]);
  expect(kind(doing("finished"))).toBe("end");
  expect(kind(task("t", { sessionStatus: "failed", sessionError: "why" }))).toBe("end");
  expect(["working", "limited", "idle"].map((what) => kind(doing(what as ActivityKind)))).toEqual([
    null,
    null,
    null,
  ]);
  expect(kind(task("t", { sessionStatus: "failed", sessionError: "Stopped." }))).toBeNull();
  expect(kind(doing("permission", 0, { sessionOperation: "stop" }))).toBeNull();
});

test("a need starts once, whatever else changes on the card meanwhile", () => {
  const working = doing("working");
  const asking = doing("permission", 1, { asks: ask("a") });
  expect(starts(working, asking)).toBe(true);
  expect(starts(asking, { ...asking, pinned: true, updatedAt: at(9) })).toBe(false);
  expect(starts(asking, working)).toBe(false);
});

test("the next request is a new need; one that only becomes better known is not", () => {
  const first = doing("permission", 1, { asks: ask("a") });
  expect(starts(first, doing("permission", 1, { asks: ask("b") }))).toBe(true);
  expect(starts(doing("permission", 1), first)).toBe(false);
  expect(starts(first, doing("question", 2))).toBe(true);
  expect(starts(doing("finished", 1), doing("finished", 5))).toBe(true);
  expect(starts(first, { ...first, sessionId: "another" })).toBe(true);
});

test("an agent of which nothing finer is known calls once per wait", () => {
  const waits = task("t", { sessionId: "s", sessionStatus: "waiting_for_input", updatedAt: at(1) });
  expect(starts({ ...waits, sessionStatus: "running" }, waits)).toBe(true);
  expect(starts(waits, { ...waits, updatedAt: at(2) })).toBe(false);
});

test("every window names a need alike, and two needs differ", () => {
  const key = (state: Task) => keyOf(state, needOf(state) as Need);
  const asking = doing("permission", 1, { asks: ask("a") });
  expect(key(asking)).toBe(key({ ...asking, updatedAt: at(9) }));
  expect(key(asking)).not.toBe(key(doing("permission", 1, { asks: ask("b") })));
  expect(key(doing("finished", 1))).not.toBe(key(doing("finished", 2)));
});

test("it is told in the ways that are on, and never about what is looked at", () => {
  const call = needOf(doing("permission")) as Need;
  const end = needOf(doing("finished")) as Need;
  const on = { desktop: true, sound: true, ends: false };
  const there = { isProjectOn: true, isOnScreen: false };
  const [both, none] = [
    { desktop: true, sound: true },
    { desktop: false, sound: false },
  ];
  expect(waysToTell(call, on, there)).toEqual(both);
  expect(waysToTell(call, { ...on, sound: false }, there)).toEqual({ desktop: true, sound: false });
  expect(waysToTell(call, on, { ...there, isOnScreen: true })).toEqual(none);
  expect(waysToTell(call, on, { ...there, isProjectOn: false })).toEqual(none);
  expect(waysToTell(end, on, there)).toEqual(none);
  expect(waysToTell(end, { ...on, ends: true }, there)).toEqual(both);
});

test("it says what is the matter", () => {
  expect(bodyOf(doing("permission", 0, { asks: ask("a") }))).toBe("Needs permission. Bash: npm test");
  expect(bodyOf(doing("finished", 0, { lastReply: "All done." }))).toBe("Turn finished. All done.");
  expect(bodyOf(doing("question"))).toBe("Has a question");
});
