// The table of what wins, line by line and case by case.
import { describe, expect, test } from "bun:test";
import { createClaudeReader } from "../../../src/server/agents/claude/reader.ts";
import { boxOf } from "../../../src/server/agents/claude/screen.ts";
import { read } from "../../../src/server/agents/claude/state.ts";
import type { Observation } from "../../../src/server/agents/reading.ts";
import {
  asks,
  file,
  hook,
  known,
  numbered,
  output,
  over,
  SCREENS,
  START,
  screen,
  title,
  told,
} from "./support/news.ts";
import { CASES, SUBMIT } from "./support/state-cases.ts";
import { TOLD_CASES } from "./support/told-cases.ts";

for (const [line, cases] of Object.entries({ ...TOLD_CASES, ...CASES })) {
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

test("a prompt is held while something is asked or a menu is open, and is seen to be taken", () => {
  const intake = (...news: Observation[]) => {
    const { intake, accepted } = read(known(news), 9_000);
    return [intake === "open" ? intake : intake.held, accepted];
  };
  expect(intake(title(500, "rest"), screen(1_500, "box"))).toEqual(["open", null]);
  expect(intake(SUBMIT, title(1_100, "busy"), screen(1_500, "busy"))).toEqual(["open", 1_000]);
  expect(intake(SUBMIT, asks(5_000))).toEqual(["The agent is asking something. Answer that first.", 1_000]);
  const modelMenu = [
    title(500, "busy"),
    title(2_000, "rest"),
    screen(3_000, "box"),
    screen(8_900, "menu", false),
  ];
  expect(intake(...modelMenu)).toEqual(["A dialog is open in its terminal. Close it first.", null]);
  expect(intake(screen(1_500, "login"))).toEqual(["A dialog is open in its terminal. Close it first.", null]);
  const again = hook(7_000, "UserPromptSubmit", { prompt: "Go on" });
  expect(intake(SUBMIT, hook(5_000, "Stop"), screen(6_000, "box"), again)).toEqual(["open", 7_000]);
});

test("where it tells its state, a prompt is held at whatever blocks it, and one is seen to be taken without a hook", () => {
  const intake = (...news: Observation[]) => {
    const { intake, accepted } = read(known(news), 9_000);
    return [intake === "open" ? intake : intake.held, accepted];
  };
  const DIALOG = "A dialog is open in its terminal. Close it first.";
  const BOX = screen(8_950, "box");
  expect(intake(file(500, "idle"), BOX)).toEqual(["open", START.at]);
  expect(intake(file(500, "idle"), file(5_000, "waiting", "dialog open"))).toEqual([DIALOG, START.at]);
  expect(intake(told(5_000, "blocked", { kind: "permission", message: "approve X" }))).toEqual([
    "The agent is asking something. Answer that first.",
    START.at,
  ]);
  // What was answered a moment ago may still be there.
  const lingers = told(8_900, "blocked", { kind: "permission", message: "approve X" });
  expect(intake(SUBMIT, asks(8_800), lingers, over(8_950, "answered"))).toEqual([DIALOG, 1_000]);
  expect(intake(told(500, "done"), told(5_000, "working"), BOX)).toEqual(["open", 5_000]);
  expect(intake(told(500, "done"), file(500, "idle"), file(5_000, "busy"), BOX)).toEqual(["open", 5_000]);
  // That it goes on after an answer is no prompt.
  const answered = [SUBMIT, told(1_020, "working"), file(5_000, "waiting", "input needed")];
  expect(intake(...answered, file(6_000, "busy"), BOX)).toEqual(["open", 1_000]);
});

test("a prompt is held at whatever isn't seen to be the prompt box, told or not", () => {
  const intake = (...news: Observation[]) => read(known(news), 9_000).intake;
  const hidden = { held: "Its prompt box isn't in sight. Look at its terminal." };
  const dialog = { held: "A dialog is open in its terminal. Close it first." };
  expect(intake(file(500, "idle"))).toEqual(hidden);
  expect(intake(title(500, "rest"), screen(8_900, "nothing"))).toEqual(hidden);
  expect(intake(title(500, "rest"), screen(8_900, "panel"))).toEqual(dialog);
  expect(intake(file(500, "idle"), screen(8_900, "panel"))).toEqual(dialog);
  expect(intake(SUBMIT, hook(5_000, "Stop"), screen(8_900, "transcript"))).toEqual(hidden);
});

test("the prompt that it took is told word for word", () => {
  const { heard } = read(known([hook(7_000, "UserPromptSubmit", { prompt: "Go on\nplease" })]), 9_000);
  expect(heard).toEqual({ text: "Go on\nplease", at: 7_000 });
});

test("its prompt box is empty only with the cursor at its beginning, whatever it suggests there", () => {
  const { box, busy, draft, shell, menu, offer, question, nothing, suggestion } = SCREENS;
  expect([box, busy, suggestion].map(boxOf)).toEqual(["empty", "empty", "empty"]);
  const typed = { ...suggestion, cursor: { x: 12, y: 3 } };
  expect([draft, shell, typed].map(boxOf)).toEqual(["filled", "filled", "filled"]);
  expect([menu, offer, nothing].map(boxOf)).toEqual(["hidden", "hidden", "hidden"]);
  expect(boxOf(question)).not.toBe("empty");
});

test("one whose hooks never come is said to tell less, and no other", () => {
  const less = (now: number, ...news: Observation[]) => read(known(news), now).less;
  const turn = [told(1_000, "working"), told(5_000, "done")];
  expect(less(5_900, ...turn)).toBeNull();
  expect(less(6_000, ...turn)).toContain("disableAllHooks");
  expect(less(6_000, SUBMIT, ...turn)).toBeNull();
  expect(less(9_000, file(500, "idle"))).toBeNull();
  expect(less(9_000, ...turn, asks(8_000))).toBeNull();
  const signs = [title(500, "busy"), title(5_000, "rest"), screen(5_800, "box")];
  expect(less(5_900, ...signs)).toBeNull();
  expect(less(9_000, ...signs)).toContain("disableAllHooks");
});

test("one that doesn't tell its state, in its terminal or in a file, is said to tell less", () => {
  const less = (now: number, ...news: Observation[]) => read(known(news), now).less;
  expect(less(14_000, SUBMIT)).toBeNull();
  expect(less(15_000, SUBMIT)).toContain("doesn't say what state it is in");
  expect(less(15_000, SUBMIT, file(500, "busy"))).toBeNull();
  expect(less(15_000, SUBMIT, told(500, "working"))).toBeNull();
});

test("what it doesn't know of banto's own settings is passed over without asking anybody, and told", () => {
  const seen = (is: "refusedOurs" | "refusedBoth", now: number) => {
    const { kind, less, press } = read(known([screen(1_500, is), screen(now, is)]), now);
    return { kind, less, keys: press?.map(({ keys }) => keys) };
  };
  const less = expect.stringContaining("(hooks.New)");
  expect(seen("refusedOurs", 1_600)).toEqual({ kind: "working", less, keys: ["\r"] });
  expect(seen("refusedOurs", 6_500)).toEqual({ kind: "question", less, keys: ["\r"] });
  // A person's own file is theirs to look at.
  expect(seen("refusedBoth", 1_600)).toEqual({ kind: "question", less: null, keys: undefined });
  const [step] = read(known([screen(1_500, "refusedOurs")]), 1_600).press ?? [];
  expect([SCREENS.refusedOurs, SCREENS.refusedBoth, SCREENS.box].map((one) => step?.when(one))).toEqual([
    ...[true, false, false],
  ]);
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
