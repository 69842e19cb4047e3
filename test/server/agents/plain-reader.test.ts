import { describe, expect, test } from "bun:test";
import type { Screen } from "../../../src/host/protocol/messages.ts";
import { createPlainReader } from "../../../src/server/agents/plain-reader.ts";

/** A screen whose cursor stands at the end of the last line. */
function screen(...lines: string[]): Screen {
  const last = lines.at(-1) ?? "";
  return {
    text: lines.join("\n"),
    cols: 80,
    rows: 24,
    cursor: { x: last.length, y: lines.length - 1, visible: true },
    title: "",
    alternate: false,
  } as unknown as Screen;
}

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

describe("a program that tells nothing of itself", () => {
  test("works while it writes, and waits once it is silent at a question", () => {
    const reader = createPlainReader({ prompted: true, note: null, at: 0 });
    reader.observe({ type: "output", at: 10 });
    reader.observe({ type: "screen", screen: ASKS, quiet: false, at: 20 });
    expect(reader.read(30).kind).toBe("working");
    reader.observe({ type: "screen", screen: ASKS, quiet: true, at: 1_000 });
    expect(reader.read(1_000)).toMatchObject({ kind: "question", reason: "Go on? [y/N]", since: 1_000 });
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
