// What each agent is said to be allowed, by what it says itself.
import { expect, test } from "bun:test";
import {
  modeAfter as claudeAfter,
  permissionsIn as inClaude,
} from "../../../src/server/agents/claude/permissions.ts";
import { permissionsAfter, type ThreadPermissions } from "../../../src/server/agents/codex/permissions.ts";
import {
  modeAfter as geminiAfter,
  permissionsIn as inGemini,
} from "../../../src/server/agents/gemini/permissions.ts";
import { permissionsBy } from "../../../src/server/agents/opencode/permissions.ts";
import type { Rule } from "../../../src/server/agents/opencode/report.ts";
import type { Observation } from "../../../src/server/agents/reading.ts";

const RULE = "─".repeat(40);
let clock = 0;

const shows = (...lines: string[]): Observation => {
  clock += 1;
  const y = lines.findLastIndex((line) => line.startsWith("❯"));
  const screen = { text: lines.join("\n"), cols: 80, rows: 24, cursor: { x: 2, y }, alternate: false };
  return {
    type: "screen",
    quiet: true,
    at: clock,
    screen: { ...screen, bracketedPaste: true, title: "", cwd: "/" },
  };
};
const atBox = (below: string) => shows("● Said.", RULE, "❯ ", RULE, below);
const hook = (said: object, at = ++clock): Observation => ({
  ...{ type: "signal", at },
  signal: { name: "PreToolUse", at, serial: at, body: JSON.stringify(said) },
});

const claude = (...seen: Observation[]) =>
  inClaude(seen.reduce<ReturnType<typeof claudeAfter>>(claudeAfter, null))?.allows ?? null;
const PLANS = "Plans only, changes nothing";
const ASKS = "Asks before commands and edits";

test("Claude Code's mode is unknown until it says so, and changes with Shift Tab", () => {
  expect(claude()).toBeNull();
  expect(claude(atBox("  ? for shortcuts"))).toBeNull();
  expect(claude(hook({ permission_mode: "plan" }))).toBe(PLANS);
  expect(claude(hook({ permission_mode: "plan" }), atBox("  ⏸ manual mode on · esc to interrupt"))).toBe(
    ASKS,
  );
  expect(claude(atBox("  ⏸ plan mode on (shift+tab to cycle)"))).toBe(PLANS);
  expect(claude(atBox("  ⏵⏵ auto mode on"), hook({ permission_mode: "default" }))).toBe(ASKS);
  expect(inClaude(claudeAfter(null, atBox("  ⏵⏵ bypass permissions on")))).toEqual({
    allows: "Runs everything without asking",
    isUnlimited: true,
  });
});

test("where the line below Claude's box is gone, the mode is another one, and none is guessed", () => {
  const planned = [hook({ permission_mode: "plan" }), atBox("  ⏸ plan mode on")];
  expect(claude(...planned, atBox("  ? for shortcuts"))).toBeNull();
  expect(claude(...planned, atBox("  ? for shortcuts"), hook({ permission_mode: "default" }))).toBe(ASKS);
  // An older version shows nothing in the default mode.
  expect(claude(hook({ permission_mode: "default" }), atBox("  ? for shortcuts"))).toBe(ASKS);
});

test("neither a subagent, nor an old hook, nor what stands in the conversation says Claude's mode", () => {
  const asking = hook({ permission_mode: "default" });
  expect(claude(asking, hook({ permission_mode: "plan", agent_id: "a" }))).toBe(ASKS);
  expect(claude(hook({ permission_mode: "default" }, 900), hook({ permission_mode: "plan" }, 800))).toBe(
    ASKS,
  );
  expect(claude(asking, shows("  ⏸ plan mode on", RULE, "❯ ", RULE, "  ← for agents"))).toBe(ASKS);
  expect(claude(asking, hook({ permission_mode: "unheard of" }))).toBe(ASKS);
});

const note = (source: string, body: object): Observation => ({ type: "note", source, body, at: ++clock });
const thread = (id: string, settings?: object) =>
  note("channel", { type: "thread", thread: { id }, model: null, ...(settings && { settings }) });
const updated = (threadId: string, threadSettings: object) =>
  note("app-server", { method: "thread/settings/updated", params: { threadId, threadSettings } });
const set = (type: string, approvalPolicy: unknown, approvalsReviewer = "user") => ({
  ...{ approvalPolicy, approvalsReviewer, sandboxPolicy: { type } },
});
const codex = (...seen: Observation[]) =>
  seen.reduce<ThreadPermissions | null>(permissionsAfter, null)?.permissions ?? null;

test.each([
  ["readOnly", "on-request", "user", "Reads freely, asks before changes"],
  ["readOnly", "never", "user", "Only reads, changes nothing"],
  ["workspaceWrite", "on-request", "user", "Works in its sandbox, asks to leave it"],
  [
    "workspaceWrite",
    "on-request",
    "auto_review",
    "Works in its sandbox, and judges itself what may leave it",
  ],
  ["workspaceWrite", "never", "user", "Works in its sandbox, never asks"],
])("Codex, %s and %s by %s: %s", (type, approval, reviewer, allows) => {
  expect(codex(thread("t", set(type, approval, reviewer)))).toEqual({ allows, isUnlimited: false });
});

test("Codex without a sandbox runs everything, and what has no words is unknown", () => {
  expect(codex(thread("t", set("dangerFullAccess", "on-request")))?.isUnlimited).toBe(true);
  expect(codex(thread("t", set("workspaceWrite", { granular: {} })))).toBeNull();
  expect(codex(thread("t", set("externalSandbox", "never")))).toBeNull();
});

test("Codex's settings change with its conversation's, and another conversation has its own", () => {
  const begun = [thread("t"), thread("t", set("workspaceWrite", "on-request"))];
  expect(codex(...begun, updated("t", set("readOnly", "never")))?.allows).toBe("Only reads, changes nothing");
  expect(codex(...begun, updated("subagent", set("readOnly", "never")))?.allows).toContain(
    "asks to leave it",
  );
  expect(codex(...begun, thread("t"))?.allows).toContain("asks to leave it");
  expect(codex(...begun, thread("other"))).toBeNull();
});

const rule = (permission: string, action: Rule["action"], pattern = "*"): Rule => ({
  permission,
  pattern,
  action,
});

test.each<[Rule[], string, boolean]>([
  [[rule("*", "allow")], "Runs everything without asking", true],
  [[rule("*", "allow"), rule("edit", "ask"), rule("bash", "ask")], ASKS, false],
  [[rule("*", "allow"), rule("bash", "ask")], "Edits files, asks before commands", false],
  [
    [rule("*", "allow"), rule("edit", "deny"), rule("edit", "allow", "plans/*")],
    "Asks before some edits, runs commands without asking",
    true,
  ],
  [
    [rule("*", "allow"), rule("bash", "ask"), rule("bash", "allow", "git *")],
    "Edits files, asks before some commands",
    false,
  ],
  [[rule("bash", "allow", "git *"), rule("*", "deny")], "Only reads, changes nothing", false],
  [[], ASKS, false],
])("OpenCode by %j: %s", (rules, allows, isUnlimited) => {
  expect(permissionsBy(rules)).toEqual({ allows, isUnlimited });
});

test("before OpenCode has told its rules, nothing is said", () => {
  expect(permissionsBy(null)).toBeNull();
});

test.each([
  ["  Shift+Tab to accept edits          1 MCP server", ASKS],
  ["auto-accept edits Shift+Tab to plan", "Edits files, asks before commands"],
  ["plan Shift+Tab to manual", PLANS],
  ["YOLO Ctrl+Y", "Runs everything without asking"],
  ["type your message", null],
])("Gemini CLI's screen with %j: %s", (line, allows) => {
  const mode = geminiAfter(null, shows("✦ Said.", line, "> "));
  expect(inGemini(mode)?.allows ?? null).toBe(allows);
  // A dialog in its place changes nothing.
  expect(geminiAfter(mode, shows("Apply this change?"))).toBe(mode);
});
