import { describe, expect, test } from "bun:test";
import { createPlainReader } from "../../../src/server/agents/plain-reader.ts";
import { programActivity } from "../../../src/server/agents/program-status.ts";
import type { Observation } from "../../../src/server/agents/reading.ts";
import type { Program } from "../../../src/server/hosts/connection.ts";
import { screen } from "./support/screens.ts";

let serial = 0;
const says = (state: Program["state"], fields: Partial<Program> = {}): Program => ({
  ...{ id: "", state, kind: null, app: "x", progress: null, title: null, message: null, at: 1_000 },
  serial: ++serial,
  ...fields,
});
const read = (...reports: Program[]) => programActivity(reports);

describe("what a program says of itself", () => {
  test("is what it does", () => {
    expect(read()).toBeUndefined();
    expect(read(says("idle"))).toEqual({ kind: "idle", reason: null, since: 1_000 });
    expect(read(says("working", { message: "Writing new.txt" }))).toMatchObject({
      kind: "working",
      reason: null,
    });
    expect(read(says("done"))).toMatchObject({ kind: "finished", reason: null });
    expect(read(says("error", { message: "No credit." }))).toMatchObject({
      kind: "trouble",
      reason: "No credit.",
    });
    expect(read(says("error"))?.reason).toContain("failed");
  });

  test.each([
    ["permission", "permission", "permission"],
    ["question", "question", "question"],
    ["auth", "trouble", "not signed in"],
    [null, "question", "waiting"],
  ] as const)("is blocked by %p: %s", (kind, activity, words) => {
    expect(read(says("blocked", { kind, message: "approve Bash: ls" }))).toMatchObject({
      kind: activity,
      reason: "approve Bash: ls",
    });
    expect(read(says("blocked", { kind }))).toMatchObject({ kind: activity });
    expect(read(says("blocked", { kind }))?.reason).toContain(words);
  });

  test("is blocked when a part of it is, since then", () => {
    const blocked = says("blocked", {
      id: "a",
      kind: "permission",
      title: "Tests",
      message: "run them",
      at: 2_000,
    });
    expect(read(blocked, says("working", { at: 3_000 }))).toEqual({
      ...{ kind: "permission", reason: "Tests: run them", since: 2_000 },
    });
  });

  test("is over while a part of it goes on in the background", () => {
    const part = (id: string, fields: Partial<Program> = {}) => says("working", { id, ...fields });
    expect(read(part("a", { title: "npm run dev" }), says("done"))).toMatchObject({
      ...{ kind: "background", reason: "Still running: npm run dev." },
    });
    expect(
      read(says("idle"), part("a"), part("b", { message: "Syncing" }), part("c"), part("d"), part("e")),
    ).toMatchObject({ kind: "background", reason: "Still running: a, Syncing, c, 2 more." });
    expect(read(part("a"), says("working"))).toMatchObject({ kind: "working" });
    expect(read(part("a"), says("error"))).toMatchObject({ kind: "trouble" });
    expect(read(says("done", { id: "a" }), says("idle"))).toMatchObject({ kind: "idle" });
  });

  test("is told from its parts where it says nothing of the whole", () => {
    expect(read(says("working", { id: "a" }), says("done", { id: "b" }))).toMatchObject({ kind: "working" });
    expect(read(says("error", { id: "a" }), says("done", { id: "b" }))).toMatchObject({ kind: "finished" });
  });
});

describe("any program", () => {
  const reader = () => createPlainReader({ prompted: false, note: null, at: 0 });
  const program = (at: number, ...reports: Program[]): Observation => ({ type: "program", at, reports });
  const looks = (at: number, ...lines: string[]): Observation => ({
    ...{ type: "screen", at, quiet: true, screen: screen(...lines) },
  });
  const kinds = (...news: Observation[]) => {
    const one = reader();
    return news.map((observation) => {
      one.observe(observation);
      return one.read(observation.at).kind;
    });
  };

  test("that says what it does is believed before its screen, until it says no more", () => {
    expect(
      kinds(
        program(100, says("working", { at: 100 })),
        looks(1_000, "Go on? [y/N] "),
        program(1_100, says("blocked", { kind: "permission", at: 1_100 })),
        program(1_200, says("done", { at: 1_200 })),
        program(1_300),
      ),
    ).toEqual(["working", "working", "permission", "finished", "question"]);
  });

  test("that says when it works tells by that when it took a prompt, and takes none at a dialog or at work", () => {
    const one = reader();
    const states = (
      [
        ["idle", 100],
        ["working", 200],
        ["working", 250],
        ["blocked", 300],
        ["working", 400],
        ["done", 500],
      ] as const
    ).map(([state, at]) => {
      one.observe(program(at, says(state, { at, kind: state === "blocked" ? "permission" : null })));
      const { intake, accepted } = one.read(at);
      return [state, intake === "open", accepted];
    });
    expect(states).toEqual([
      ["idle", true, null],
      ["working", false, 200],
      ["working", false, 200],
      ["blocked", false, 200],
      ["working", false, 400],
      ["done", true, 400],
    ]);
  });

  test("that was killed at work does not work on at the shell's prompt", () => {
    const prompt = "me@desk:~$ ";
    expect(
      kinds(
        looks(50, prompt),
        { type: "output", at: 80 },
        program(100, says("working", { at: 100 })),
        looks(120, "$ agent", "thinking"),
        looks(5_000, "Killed", prompt),
        program(6_000, says("working", { at: 6_000 })),
      ),
    ).toEqual(["idle", "idle", "working", "working", "idle", "working"]);
  });

  test("that has ended with a word for it is not mistaken for one that was killed", () => {
    expect(kinds(program(100, says("error", { at: 100 })), looks(5_000, "me@desk:~$ "))).toEqual([
      "trouble",
      "trouble",
    ]);
  });
});
