import { expect, test } from "bun:test";
import type { ActivityKind, QueuedPrompt } from "../../../src/contract.ts";
import { mayGo } from "../../../src/server/sessions/prompts/turn.ts";

const NOW = Date.parse("2026-01-01T00:01:00.000Z");
const ago = (ms: number) => new Date(NOW - ms).toISOString();

const prompt = (fields: Partial<QueuedPrompt> = {}): QueuedPrompt => ({
  ...{ id: "p", sessionId: "s", text: "Go on", state: "queued", reason: null, at: ago(30_000) },
  ...fields,
});

const KINDS: ActivityKind[] = ["working", "finished", "background", "idle", "limited", "trouble"];
const open = (kind: ActivityKind, restedMs = 5_000) => ({
  ...{ intake: "open" as const, kind, since: NOW - restedMs },
});

test("a prompt goes out while its agent rests, or wherever it would be taken if a person says so", () => {
  const going = (one: QueuedPrompt) => KINDS.filter((kind) => mayGo(one, open(kind), undefined, NOW));
  expect(going(prompt())).toEqual(["finished", "background", "idle"]);
  expect(going(prompt({ now: true }))).toEqual(KINDS);
  const held = { ...open("finished"), intake: { held: "A dialog is open." } };
  expect(mayGo(prompt({ now: true }), held, undefined, NOW)).toBe(false);
  expect(mayGo(prompt(), open("finished", 100), undefined, NOW)).toBe(false);
});

test("the next one waits until the agent has begun with the one before, if that gave it anything to do", () => {
  const before = (ms: number, fields: Partial<QueuedPrompt> = {}) =>
    prompt({ id: "before", state: "accepted", at: ago(ms), ...fields });
  expect(mayGo(prompt(), open("finished", 5_000), before(1_000), NOW)).toBe(false);
  expect(mayGo(prompt(), open("finished", 5_000), before(6_000), NOW)).toBe(true);
  expect(mayGo(prompt(), open("finished", 60_000), before(11_000), NOW)).toBe(true);
  expect(mayGo(prompt(), open("finished"), before(1_000, { sessionId: "other" }), NOW)).toBe(true);
});
