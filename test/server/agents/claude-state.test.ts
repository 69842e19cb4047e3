// The table of what wins, line by line and case by case.
import { describe, expect, test } from "bun:test";
import { read } from "../../../src/server/agents/claude/state.ts";
import type { News } from "../../../src/server/agents/reading.ts";
import { known, START, screen, title } from "./support/news.ts";
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

test("what can't be read changes nothing", () => {
  const broken: News[] = ["", "{", "[]", "null", "7"].map((body, i) => ({
    type: "signal",
    at: 2_000 + i,
    signal: { name: "Stop", at: 2_000 + i, serial: i, body: i === 0 ? null : body },
  }));
  const { kind } = read(known([SUBMIT, ...broken]), 3_000);
  expect(kind).toBe("working");
});
