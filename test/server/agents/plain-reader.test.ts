import { describe, expect, test } from "bun:test";
import { createPlainReader } from "../../../src/server/agents/plain-reader.ts";
import { HELD, type Observation } from "../../../src/server/agents/reading.ts";
import { compilePattern } from "../../../src/server/agents/screen-prompts/pattern.ts";
import { screen } from "./support/screens.ts";

const ASKS = screen("work is done", "Go on? [y/N] ");

/** A reader that has come to wait at second 1. */
function waiting() {
  const reader = createPlainReader({ prompted: true, note: null, at: 0 });
  reader.observe({ type: "output", at: 0 });
  reader.observe({ type: "screen", screen: ASKS, quiet: true, at: 1_000 });
  const now = () => {
    const { kind, since } = reader.read(0);
    return { kind, since };
  };
  return { reader, now };
}

describe("a program of which a person has said what its dialogs look like", () => {
  const patterns = { prompt: compilePattern("^Ask me:$"), dialog: compilePattern("^Shall I\\b") };
  const reader = () => createPlainReader({ prompted: true, note: null, at: 0 }, patterns);
  const looks = (at: number, quiet: boolean, ...lines: string[]) =>
    ({ type: "screen", at, quiet, screen: screen(...lines) }) as const;
  const kinds = (...news: Observation[]) => {
    const one = reader();
    return news.map((observation) => {
      one.observe(observation);
      return one.read(observation.at).kind;
    });
  };

  test("asks as soon as one is drawn, however it blinks, and works once it has gone", () => {
    expect(
      kinds(
        ...[looks(100, false, "thinking"), looks(200, false, "Shall I run it?", " (1) do", " (2) don't")],
        ...[
          { type: "output", at: 900 } as const,
          looks(950, false, "Shall I run it?", " [1] do", " (2) don't"),
        ],
        ...[
          { type: "output", at: 1_900 } as const,
          looks(1_950, false, "Shall I run it?", " (1) do", " (2) don't"),
        ],
        ...[{ type: "output", at: 2_900 } as const, looks(2_950, false, "running")],
      ),
    ).toEqual(["working", ...Array(6).fill("question"), "working"]);
    const one = reader();
    one.observe(looks(200, false, "Shall I run it?", " (1) do"));
    const { reason, since, intake } = one.read(200);
    expect([reason, since, intake]).toEqual(["Shall I run it?", 200, HELD.asks]);
  });

  test("has finished at its prompt once it is silent, and what only looks like one is none", () => {
    expect(kinds(looks(100, false, "Ask me: "), looks(900, true, "Ask me: "))).toEqual([
      "working",
      "finished",
    ]);
    expect(kinds(looks(900, true, "me@desk:~$ "), looks(1_900, true, "Go on? [y/N] "))).toEqual([
      "working",
      "working",
    ]);
  });

  test("does not ask by what was said long before", () => {
    expect(kinds(looks(900, true, "Shall I run it?", ...Array(25).fill("running"), "Ask me: "))).toEqual([
      "finished",
    ]);
  });
});

describe("a program that tells nothing of itself", () => {
  test("works while it writes, and waits once it is silent at a question", () => {
    const reader = createPlainReader({ prompted: true, note: null, at: 0 });
    reader.observe({ type: "output", at: 10 });
    reader.observe({ type: "screen", screen: ASKS, quiet: false, at: 20 });
    expect(reader.read(30).kind).toBe("working");
    reader.observe({ type: "screen", screen: ASKS, quiet: true, at: 1_000 });
    expect(reader.read(1_000)).toMatchObject({ kind: "question", reason: "Go on? [y/N]", since: 1_000 });
  });

  test("takes a prompt where it waits for one, and is not known to have taken it", () => {
    const intake = (...lines: string[]) => {
      const reader = createPlainReader({ prompted: true, note: null, at: 0 });
      reader.observe({ type: "output", at: 10 });
      reader.observe({ type: "screen", screen: screen(...lines), quiet: true, at: 1_000 });
      const { intake, accepted } = reader.read(1_000);
      expect(accepted).toBeNull();
      return intake === "open" ? intake : intake.held;
    };
    expect(intake("me@desk:~$ ")).toBe("open");
    expect(intake("building")).toContain("at work");
    expect(intake("Go on? [y/N] ")).toContain("Answer that first");
  });

  test("still waits, and since then, when it only draws itself anew", () => {
    const { reader, now } = waiting();
    reader.observe({ type: "output", at: 5_000 });
    reader.observe({ type: "screen", screen: ASKS, quiet: false, at: 5_010 });
    expect(now()).toEqual({ kind: "question", since: 1_000 });
    reader.observe({ type: "screen", screen: ASKS, quiet: true, at: 5_700 });
    expect(now()).toEqual({ kind: "question", since: 1_000 });
  });

  test("works as soon as its question is off the screen", () => {
    const { reader, now } = waiting();
    reader.observe({ type: "output", at: 5_000 });
    reader.observe({
      type: "screen",
      screen: screen("Go on? [y/N] y", "building", ""),
      quiet: false,
      at: 5_010,
    });
    expect(now()).toEqual({ kind: "working", since: 5_010 });
  });

  test("works when it goes on writing, whatever its screen looks like", () => {
    const { reader, now } = waiting();
    reader.observe({ type: "output", at: 5_000 });
    reader.observe({ type: "screen", screen: ASKS, quiet: false, at: 5_010 });
    reader.observe({ type: "output", at: 6_000 });
    expect(now()).toEqual({ kind: "working", since: 6_000 });
  });

  test("works when what it drew in the end is not known to wait", () => {
    const { reader, now } = waiting();
    reader.observe({ type: "output", at: 5_000 });
    reader.observe({ type: "screen", screen: ASKS, quiet: false, at: 5_010 });
    reader.observe({ type: "screen", screen: screen("thinking", "about it", ""), quiet: true, at: 5_700 });
    expect(now()).toEqual({ kind: "working", since: 5_700 });
  });

  test("asks anew when the question is another", () => {
    const { reader, now } = waiting();
    reader.observe({ type: "output", at: 5_000 });
    reader.observe({ type: "screen", screen: screen("Really? [y/N] "), quiet: true, at: 5_700 });
    expect(now()).toEqual({ kind: "question", since: 5_700 });
  });
});
