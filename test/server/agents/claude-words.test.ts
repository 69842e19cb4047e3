// What Claude Code asks and says, put into words, and a person's answers put into its.
import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../../src/contract.ts";
import { answerBody } from "../../../src/server/agents/claude/answers.ts";
import { type OpenAsk, toAsk } from "../../../src/server/agents/claude/ask.ts";
import { parseStatus } from "../../../src/server/agents/claude/gauges.ts";
import { resetTime } from "../../../src/server/agents/reset-time.ts";

const open = (tool: string, input: object, more: Partial<OpenAsk> = {}): OpenAsk => ({
  ...{
    id: "a",
    event: "PermissionRequest",
    at: 0,
    serial: 1,
    sessionId: "s",
    agentId: null,
    cwd: "/home/me/tree",
    tool,
    ...{ isShown: true, wasNamed: false, tasks: [] },
  },
  ...{
    input: input as OpenAsk["input"],
    suggestions: [],
    message: "",
    error: "",
    reason: "",
    trigger: "",
    prompt: "",
  },
  ...more,
});

describe("what is asked, in one line and in full", () => {
  test.each([
    [
      "Bash",
      { command: "make all\nmake install", description: "Build" },
      "make all make install",
      "make all\nmake install\n\n# Build",
    ],
    ["Bash", { command: "ls" }, "ls", "ls"],
    [
      "Bash",
      { command: "ls", description: "List", dangerouslyDisableSandbox: true, timeout: 5 },
      "ls",
      "ls\n\n# List\n# dangerouslyDisableSandbox: true\n# timeout: 5",
    ],
    [
      "Write",
      { file_path: "/home/me/tree/a.txt", content: "one\ntwo\n" },
      "Write a.txt",
      "+++ a.txt\n+one\n+two",
    ],
    [
      "Edit",
      { file_path: "/elsewhere/a.txt", old_string: "one\ntwo", new_string: "three" },
      "Edit /elsewhere/a.txt",
      "--- /elsewhere/a.txt\n+++ /elsewhere/a.txt\n@@ @@\n-one\n-two\n+three",
    ],
    [
      "Edit",
      { file_path: "/home/me/tree/a", old_string: "one", new_string: "", replace_all: true },
      "Edit a",
      "--- a\n+++ a\n@@ every occurrence @@\n-one",
    ],
    [
      "WebFetch",
      { url: "https://example.org" },
      "Fetch https://example.org",
      '{\n  "url": "https://example.org"\n}',
    ],
    ["ExitPlanMode", { plan: "# Plan" }, "Start carrying out the plan", "# Plan"],
    ["mcp__github__merge", { id: 7 }, 'github: merge {"id":7}', '{\n  "id": 7\n}'],
    ["Unheard", {}, "Unheard {}", "{}"],
  ])("%s %j", (tool, input, summary, detail) => {
    expect(toAsk(open(tool, input))).toMatchObject({ tool, summary, detail, always: null, questions: null });
  });

  test("what is too long is cut, and says so", () => {
    const { summary, detail } = toAsk(open("Bash", { command: "x".repeat(200_000) }));
    expect(summary).toHaveLength(200);
    expect(detail.length).toBeLessThanOrEqual(LIMITS.askDetail);
    expect(detail).toEndWith("characters more; its terminal has all of it.");
    // What nobody was shown is not allowed from here.
    expect(toAsk(open("Bash", { command: "x".repeat(200_000) })).canAnswer).toBe(false);
  });

  test("always, in words", () => {
    const suggestions = [
      { type: "setMode", mode: "acceptEdits", destination: "session" },
      { type: "addDirectories", directories: ["/srv"], destination: "session" },
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "make *" }, { toolName: "WebSearch" }],
        behavior: "allow",
        destination: "localSettings",
      },
    ];
    expect(toAsk(open("Bash", {}, { suggestions })).always).toBe(
      "all edits of files, access to /srv, Bash(make *), WebSearch, for the rest of this session",
    );
  });
});

describe("answers", () => {
  const decision = (ask: OpenAsk, answer: object) =>
    JSON.parse(answerBody(ask, { ask: "a", decision: "allow", ...answer })).hookSpecificOutput.decision;
  const rules = [
    { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "localSettings" },
  ];

  test("allow, always, deny", () => {
    const ask = open("Bash", { command: "ls" }, { suggestions: rules });
    expect(decision(ask, {})).toEqual({ behavior: "allow" });
    expect(decision(ask, { decision: "always" })).toEqual({
      behavior: "allow",
      updatedPermissions: [{ ...rules[0], destination: "session" }],
    });
    expect(decision(ask, { decision: "deny", message: " No. " })).toEqual({
      behavior: "deny",
      message: "No.",
    });
    expect(decision(ask, { decision: "deny" }).message).toMatch(/denied/);
    expect(() => decision(open("Bash", {}), { decision: "always" })).toThrow("there is no “always” for this");
    expect(() => decision(ask, { decision: "deny", message: "\0" })).toThrow("NUL");
  });

  test("always sends what was worded, and nothing beside it", () => {
    const rule = { toolName: "Bash", ruleContent: "make *" };
    const suggestions = [
      {
        type: "addRules",
        rules: [rule, { toolName: 7 }],
        behavior: "allow",
        destination: "userSettings",
        also: 1,
      },
      { type: "addRules", rules: [{ toolName: "Read" }], behavior: "deny" },
      { type: "replaceRules", rules: [{ toolName: "Bash" }], behavior: "allow" },
      { type: "removeRules", rules: [{ toolName: "Edit" }], behavior: "deny" },
      { type: "addDirectories", directories: ["/srv", { path: "/" }], rules: [{ toolName: "Bash" }] },
      { type: "setMode", mode: "acceptEdits", directories: ["/"], rules: [{ toolName: "Bash" }] },
      { type: "setMode" },
      { type: "unheard", mode: "bypassPermissions" },
    ];
    const ask = open("Bash", { command: "make all" }, { suggestions } as unknown as Partial<OpenAsk>);
    expect(toAsk(ask).always).toBe(
      "Bash(make *), access to /srv, all edits of files, for the rest of this session",
    );
    expect(decision(ask, { decision: "always" }).updatedPermissions).toEqual([
      { type: "addRules", rules: [rule], behavior: "allow", destination: "session" },
      { type: "addDirectories", directories: ["/srv"], destination: "session" },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
    ]);
  });

  test("a question wants an answer to each part of it", () => {
    const questions = [{ question: "One?" }, { question: "Two?", options: [{ label: "A" }] }];
    const ask = open("AskUserQuestion", { questions });
    const answers = { "One?": "yes", "Two?": "A" };
    expect(decision(ask, { answers })).toEqual({ behavior: "allow", updatedInput: { questions, answers } });
    expect(() => decision(ask, { answers: { "One?": "yes", "Two?": " " } })).toThrow(
      "“Two?” is not answered",
    );
    expect(decision(ask, { decision: "deny" }).behavior).toBe("deny");
  });
});

describe("when a limit ends", () => {
  const now = Date.parse("2026-11-17T02:00:00Z");
  test.each([
    ["You've hit your session limit · resets 3:48am (UTC)", "2026-11-17T03:48:00.000Z"],
    ["resets 1am (UTC)", "2026-11-18T01:00:00.000Z"],
    ["resets 12am (UTC)", "2026-11-18T00:00:00.000Z"],
    ["resets 12pm (UTC)", "2026-11-17T12:00:00.000Z"],
    ["limit reached, resets 9pm (America/New_York)", "2026-11-18T02:00:00.000Z"],
    ["resets Nov 20, 3pm (Europe/Berlin)", "2026-11-20T14:00:00.000Z"],
    ["resets Nov 20 at 3pm (Europe/Berlin)", "2026-11-20T14:00:00.000Z"],
    ["resets Jan 2, 3pm (UTC)", "2027-01-02T15:00:00.000Z"],
    ["resets at 15:30 (UTC)", "2026-11-17T15:30:00.000Z"],
    ["resets 3pm (Nowhere/Land)", null],
    ["try again later", null],
  ])("%s", (message, expected) => {
    expect(resetTime(message, now)).toBe(expected);
  });
});

test("the status line's figures", () => {
  const said = {
    session_id: "s",
    model: { id: "claude-opus", display_name: "Opus" },
    version: "2.1.197",
    cost: { total_cost_usd: 1.25 },
    context_window: { used_percentage: 42 },
    rate_limits: {
      five_hour: { used_percentage: 12.5, resets_at: 1_763_352_000 },
      seven_day: { used_percentage: 3, resets_at: "2026-11-20T00:00:00Z" },
    },
  };
  expect(parseStatus(JSON.stringify(said))).toEqual({
    sessionId: "s",
    gauges: {
      model: "Opus",
      contextPercent: 42,
      costUsd: 1.25,
      fiveHour: { usedPercent: 12.5, resetsAt: "2025-11-17T04:00:00.000Z" },
      sevenDay: { usedPercent: 3, resetsAt: "2026-11-20T00:00:00.000Z" },
      version: "2.1.197",
    },
  });
  expect(parseStatus("{}")?.gauges).toEqual({
    ...{ model: null, contextPercent: null, costUsd: null, fiveHour: null, sevenDay: null, version: null },
  });
  expect([parseStatus(null), parseStatus("half of i")]).toEqual([undefined, undefined]);
});
