// The table of what wins, line by line and case by case.
import { describe, expect, test } from "bun:test";
import { createClaudeReader } from "../../../src/server/agents/claude/reader.ts";
import { read } from "../../../src/server/agents/claude/state.ts";
import type { Observation } from "../../../src/server/agents/reading.ts";
import { hook, known, numbered, output, START, screen, title } from "./support/news.ts";
import { CASES, SUBMIT } from "./support/state-cases.ts";

for (const [line, cases] of Object.entries(CASES)) {
  describe(line, () => {
    test.each(cases)("%s", (_, news, now, kind, more = {}) => {
      expect(read(known(news), now)).toMatchObject({ kind, ...more });
    });
  });
}

test("one that is resumed rests at its input box at once, and says what it was started with", () => {
  const start = { ...START, prompted: false, note: "Something to know." };
  const news = [title(500, "rest"), screen(1_500, "box")];
  expect(read(known(news, start), 2_000)).toMatchObject({ kind: "idle" });
  expect(read(known([SUBMIT], start), 2_000)).toMatchObject({
    kind: "working",
    reason: "Something to know.",
  });
});

test("typing at one that was resumed makes it neither work nor rest anew, until it says so", () => {
  const start = { ...START, prompted: false };
  const typed = [900, 2_000, 2_100, 4_000].flatMap((at) => [output(at), screen(at + 700, "nothing")]);
  const news = [title(100, "rest"), screen(200, "box"), ...typed].toSorted((a, b) => a.at - b.at);
  const kinds = news.map(({ at }, i) => read(known(news.slice(0, i + 1), start), at).kind);
  expect(kinds.slice(kinds.indexOf("idle"))).toEqual(kinds.slice(kinds.indexOf("idle")).map(() => "idle"));
  expect(kinds).toContain("idle");
  const submitted = hook(5_000, "UserPromptSubmit", { prompt: "Go on" });
  expect(read(known([...news, submitted], start), 5_000).kind).toBe("working");
});

test("the conversation is the one that spoke last, whatever the clock says", () => {
  const reader = createClaudeReader(START);
  const turns = numbered(
    hook(3_600_000, "Stop", { session_id: "old" }),
    hook(5_000, "UserPromptSubmit", { session_id: "new" }),
  );
  for (const news of turns.toReversed()) reader.observe(news);
  expect(reader.conversation()).toBe("new");
});

test("what can't be read changes nothing", () => {
  const broken: Observation[] = ["", "{", "[]", "null", "7"].map((body, i) => ({
    type: "signal",
    at: 2_000 + i,
    signal: { name: "Stop", at: 2_000 + i, serial: i, body: i === 0 ? null : body },
  }));
  const { kind } = read(known([SUBMIT, ...broken]), 3_000);
  expect(kind).toBe("working");
});
