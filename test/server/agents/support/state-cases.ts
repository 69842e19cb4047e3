// What is known, line by line of the table in state.ts, and what it is to be read as.
import { expect } from "bun:test";
import type { ActivityKind } from "../../../../src/contract.ts";
import type { News } from "../../../../src/server/agents/reading.ts";
import { asks, hook, numbered, output, over, screen, title } from "./news.ts";

export const SUBMIT = hook(1_000, "UserPromptSubmit", { prompt: "Do it" });
const STOP = hook(5_000, "Stop", { last_assistant_message: "Done." });
const failed = (error: string, message = "It failed") =>
  hook(5_000, "StopFailure", { error, last_assistant_message: message });

const ASKS_TO_PROCEED = { reason: "Do you want to proceed?" };

type Case = [name: string, news: News[], now: number, kind: ActivityKind, more?: object];

export const CASES: Record<string, Case[]> = {
  "1 it asks": [
    ["at once", [SUBMIT, title(900, "busy"), asks(5_000)], 5_000, "permission", { reason: "touch one" }],
    [
      "and goes on to",
      [SUBMIT, asks(5_000), title(5_100, "rest"), screen(5_900, "menu")],
      99_000,
      "permission",
    ],
    [
      "a question",
      [
        SUBMIT,
        hook(
          5_000,
          "PermissionRequest",
          { tool_name: "AskUserQuestion", tool_input: { questions: [{ question: "Which?" }] } },
          "a",
        ),
      ],
      5_000,
      "question",
      { reason: "Which?" },
    ],
    [
      "though a subagent does",
      [SUBMIT, asks(5_000, "touch one", "a", { agent_id: "sub" })],
      5_000,
      "permission",
    ],
    [
      "though the title is still busy from before",
      [title(900, "busy"), SUBMIT, asks(5_000)],
      9_000,
      "permission",
    ],
    [
      "though the title was busy for a moment",
      [SUBMIT, asks(5_000), title(5_050, "busy"), title(5_400, "rest")],
      9_000,
      "permission",
    ],
    [
      "the first of two",
      [SUBMIT, asks(5_000, "one", "a"), asks(5_100, "two", "b")],
      5_200,
      "permission",
      { reason: "one" },
    ],
    [
      "the second, once the first is answered",
      [SUBMIT, asks(5_000, "one", "a"), asks(5_100, "two", "b"), over(6_000, "answered")],
      6_000,
      "permission",
      { reason: "two" },
    ],
    ["not when answered from the board", [SUBMIT, asks(5_000), over(6_000, "answered")], 6_000, "working"],
    [
      "not when its tool has run",
      [
        SUBMIT,
        asks(5_000),
        hook(6_000, "PostToolUse", { tool_name: "Bash", tool_input: { command: "touch one" } }),
      ],
      6_000,
      "working",
      { release: ["a"] },
    ],
    [
      "again, though it has run before",
      [
        SUBMIT,
        asks(5_000),
        hook(4_000, "PostToolUse", { tool_name: "Bash", tool_input: { command: "touch one" } }),
      ],
      6_000,
      "permission",
      { release: [] },
    ],
    [
      "still, when another tool has run",
      [SUBMIT, asks(5_000), hook(6_000, "PostToolUse", { tool_name: "Read", tool_input: {} })],
      6_000,
      "permission",
    ],
    [
      "not when the title has been busy since",
      [SUBMIT, asks(5_000), title(5_100, "rest"), title(7_000, "busy")],
      7_500,
      "working",
      { release: ["a"] },
    ],
    [
      "until then it does",
      [SUBMIT, asks(5_000), title(5_100, "rest"), title(7_000, "busy")],
      7_400,
      "permission",
      { again: 7_500 },
    ],
    [
      "not when the screen shows its input box again",
      [SUBMIT, asks(5_000), title(5_100, "rest"), screen(7_000, "box")],
      7_000,
      "idle",
      { release: ["a"] },
    ],
    [
      "though the screen is one from before",
      [SUBMIT, asks(5_000), screen(5_500, "box")],
      5_600,
      "permission",
    ],
    ["not when the turn is over", [SUBMIT, asks(4_000), STOP], 5_000, "finished", { release: ["a"] }],
    [
      "not when the next prompt is given",
      [SUBMIT, asks(4_000), hook(6_000, "UserPromptSubmit")],
      6_000,
      "working",
      { release: ["a"] },
    ],
    [
      "not when the conversation is cleared",
      [SUBMIT, asks(4_000), hook(6_000, "SessionEnd", { reason: "clear" })],
      6_000,
      "idle",
      { release: ["a"] },
    ],
    [
      "for a moment after it hung up",
      [SUBMIT, asks(5_000), over(6_000, "withdrawn")],
      6_100,
      "permission",
      { again: 6_300 },
    ],
    [
      "and is interrupted then",
      [SUBMIT, asks(5_000), over(6_000, "withdrawn")],
      6_300,
      "idle",
      { reason: "Interrupted." },
    ],
  ],
  "2 its last hook says that the turn is over": [
    ["Stop", [SUBMIT, STOP], 5_000, "finished", { reason: null }],
    [
      "though the title is busy for a while",
      [title(900, "busy"), SUBMIT, STOP],
      6_400,
      "finished",
      { again: 6_500 },
    ],
    ["but not when it stays busy", [title(900, "busy"), SUBMIT, STOP], 6_500, "working"],
    [
      "though a command of its own was busy for a moment",
      [SUBMIT, STOP, title(8_000, "busy"), title(8_100, "rest")],
      20_000,
      "finished",
    ],
    [
      "though a subagent goes on",
      [
        SUBMIT,
        STOP,
        hook(6_000, "PreToolUse", { agent_id: "sub", tool_name: "Bash" }),
        hook(7_000, "PostToolUse", { agent_id: "sub", tool_name: "Bash" }),
      ],
      7_000,
      "finished",
    ],
    [
      "though an older hook comes late",
      [STOP, hook(4_900, "PostToolUse", { tool_name: "Read" })],
      5_000,
      "finished",
    ],
    ["but not after the next prompt", [SUBMIT, STOP, hook(6_000, "UserPromptSubmit")], 6_000, "working"],
    [
      "a rate limit",
      [SUBMIT, failed("rate_limit", "You've hit your session limit · resets 3:48am (UTC)")],
      5_000,
      "limited",
      { until: "1970-01-01T03:48:00.000Z" },
    ],
    [
      "a limit with no end in sight",
      [SUBMIT, failed("rate_limit", "Too many requests")],
      5_000,
      "limited",
      { until: null },
    ],
    [
      "a login that fails",
      [SUBMIT, failed("authentication_failed", "Not logged in")],
      5_000,
      "trouble",
      { reason: expect.stringMatching(/type \/login.*It says: Not logged in/) },
    ],
    [
      "no credit",
      [SUBMIT, failed("billing_error")],
      5_000,
      "trouble",
      { reason: expect.stringContaining("no credit") },
    ],
    [
      "something nobody knows",
      [SUBMIT, failed("who_knows", "")],
      5_000,
      "trouble",
      { reason: "Look at its terminal, and send the prompt again." },
    ],
    [
      "though a menu follows it",
      [SUBMIT, failed("rate_limit"), title(5_100, "rest"), screen(7_000, "menu")],
      7_000,
      "limited",
    ],
    [
      "/clear",
      [SUBMIT, STOP, hook(6_000, "SessionEnd", { reason: "clear" })],
      6_000,
      "idle",
      { reason: "The conversation was cleared." },
    ],
    [
      "but not at any other end of it",
      [SUBMIT, hook(6_000, "SessionEnd", { reason: "other" })],
      6_000,
      "working",
    ],
  ],
  "3 an interrupt, which no hook tells of": [
    [
      "is seen by the title",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), screen(5_800, "box")],
      6_000,
      "idle",
      { reason: "Interrupted.", since: 5_000 },
    ],
    [
      "after a moment",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), screen(5_800, "box")],
      5_900,
      "working",
      { again: 6_000 },
    ],
    [
      "though somebody types already",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), output(5_500), screen(6_900, "box", false)],
      6_900,
      "idle",
    ],
    [
      "not by an old screen",
      [title(900, "busy"), SUBMIT, screen(4_000, "box"), title(5_000, "rest")],
      7_000,
      "working",
      { again: 7_500 },
    ],
    [
      "not while the screen spins",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), screen(6_500, "busy")],
      7_000,
      "working",
    ],
    [
      "not by a title that only comes later",
      [title(500, "rest"), SUBMIT, title(1_400, "busy"), screen(2_500, "box")],
      9_000,
      "working",
    ],
    [
      "is a question where a menu stands",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), screen(5_800, "menu")],
      6_000,
      "question",
      ASKS_TO_PROCEED,
    ],
  ],
  "4 no title": [
    ["a silent input box is idle", [SUBMIT, screen(5_000, "box")], 5_000, "idle"],
    ["a silent menu asks", [SUBMIT, screen(5_000, "menu")], 5_000, "question"],
    ["anything else works", [SUBMIT, screen(5_000, "nothing")], 60_000, "working"],
    ["as does what is not silent", [SUBMIT, output(4_900), screen(5_000, "box", false)], 5_000, "working"],
  ],
  "5 working": [
    ["by its hooks", [SUBMIT], 1_000, "working"],
    [
      "by its title, whatever the screen looks like",
      [title(900, "busy"), SUBMIT, screen(5_000, "box")],
      60_000,
      "working",
    ],
    [
      "a tool of its own after a turn",
      [STOP, hook(6_000, "PreToolUse", { tool_name: "Read" })],
      6_000,
      "working",
    ],
  ],
  "6 what stands in the way of a start": [
    [
      "trust",
      [output(500), screen(1_500, "trust")],
      1_500,
      "question",
      { reason: expect.stringContaining("trust this repository") },
    ],
    [
      "a login",
      [output(500), screen(1_500, "login")],
      1_500,
      "trouble",
      { reason: expect.stringContaining("not logged in") },
    ],
    [
      "setting it up",
      [output(500), screen(1_500, "setUp")],
      1_500,
      "trouble",
      { reason: expect.stringContaining("has not been set up") },
    ],
    ["nothing, once it has begun", [screen(500, "trust"), SUBMIT, title(1_100, "busy")], 1_500, "working"],
  ],
  "words of its first screens, in a conversation": [
    ["stand in no way of a start", [title(500, "rest"), screen(1_500, "boxBelowWords")], 16_500, "idle"],
    [
      "hide no interrupt",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), screen(5_800, "boxBelowWords")],
      6_000,
      "idle",
    ],
    ["hide no menu", [output(500), screen(1_500, "menuBelowWords")], 1_500, "question", ASKS_TO_PROCEED],
    [
      "nor one of a turn",
      [title(900, "busy"), SUBMIT, title(5_000, "rest"), screen(5_800, "menuBelowWords")],
      6_000,
      "question",
      ASKS_TO_PROCEED,
    ],
  ],
  "7 to 9 no hook so far": [
    ["a menu asks", [output(500), screen(1_500, "menu")], 1_500, "question"],
    [
      "a prompt is about to be submitted",
      [title(500, "rest"), screen(1_500, "box")],
      9_000,
      "working",
      { again: 16_500 },
    ],
    ["or never will be", [title(500, "rest"), screen(1_500, "box")], 16_500, "idle"],
    [
      "it was busy before, and rests",
      [title(500, "busy"), title(5_000, "rest"), screen(5_800, "box")],
      6_300,
      "finished",
    ],
    [
      "it was busy before, rests, and somebody types",
      [title(500, "busy"), title(5_000, "rest"), screen(5_800, "box"), output(9_000)],
      9_000,
      "finished",
      { since: 5_800, again: 9_500 },
    ],
    [
      "not yet at rest, and something is written",
      [title(500, "busy"), title(5_000, "rest"), screen(5_800, "box"), output(6_000)],
      6_000,
      "working",
    ],
    [
      "it was at rest, and its title is busy again",
      [
        ...[title(500, "busy"), title(5_000, "rest"), screen(5_800, "box")],
        output(9_000),
        title(9_100, "busy"),
      ],
      9_200,
      "working",
    ],
    [
      "it was at rest, and its screen is busy again",
      [
        ...[title(500, "busy"), title(5_000, "none"), screen(5_800, "box"), output(9_000)],
        screen(9_500, "busy", false),
      ],
      9_500,
      "working",
    ],
    [
      "it was at rest, and then asks by a menu",
      [title(500, "busy"), title(5_000, "rest"), screen(5_800, "box"), output(9_000), screen(9_500, "menu")],
      9_500,
      "question",
    ],
    ["it is busy", [title(500, "busy"), screen(1_500, "box")], 60_000, "working"],
    ["it has said nothing yet", [], 60_000, "working"],
  ],
  "a clock that was set back by an hour": [
    ["a turn ends", numbered(hook(3_600_000, "UserPromptSubmit"), STOP), 5_000, "finished"],
    [
      "what it asked is not asked any more",
      numbered(asks(3_600_000), STOP, hook(6_000, "UserPromptSubmit")),
      6_000,
      "working",
    ],
    [
      "an interrupt is seen",
      [
        ...[hook(3_600_000, "UserPromptSubmit"), title(3_600_100, "busy")],
        ...[title(5_000, "rest"), screen(5_700, "box"), screen(6_701, "box")],
      ],
      6_701,
      "idle",
    ],
    [
      "a withdrawal counts",
      [asks(3_600_000), over(3_600_100, "withdrawn"), screen(5_700, "nothing")],
      6_000,
      "idle",
    ],
  ],
};
