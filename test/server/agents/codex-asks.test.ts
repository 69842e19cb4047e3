// What Codex asks, as its card shows it, and what becomes of an answer.
import { expect, test } from "bun:test";
import { isHeard } from "../../../src/server/agents/codex/protocol.ts";
import { CodexScene, THREAD } from "./support/codex-scene.ts";

test("is shown whole, one after the other, until somebody has answered", () => {
  const scene = new CodexScene().connected().began();
  scene.asks("npm test", THREAD, { reason: "To see", extra: { risk: "high" } }).asks("npm run x");
  const { asks, ...reading } = scene.reading;
  expect(reading).toMatchObject({ kind: "permission", reason: "npm test" });
  expect(reading.intake).not.toBe("open");
  expect(asks?.detail).toBe('npm test\n\n# To see\n# in /repo\n# extra: {"risk":"high"}');
  scene.said("serverRequest/resolved", { threadId: THREAD, requestId: 1 });
  expect(scene.reading.reason).toBe("npm run x");
  scene.said("serverRequest/resolved", { threadId: THREAD, requestId: 2 });
  expect(scene.reading.kind).toBe("working");
});

test("is the same when it is asked again after a break", () => {
  const scene = new CodexScene().connected().began().asks("npm test");
  const before = scene.reading.asks;
  scene.channel({ type: "lost" }).connected();
  expect(scene.reading.asks).toBeNull();
  const params = { kind: "command", threadId: THREAD, turnId: "turn-1", itemId: "call_1", cwd: "/repo" };
  const command = "/bin/bash -lc 'npm test'";
  scene.said("item/commandExecution/requestApproval", { ...params, command }, 7);
  expect(scene.reading.asks).toEqual(before);
  const answer = scene.reader.answer({ ask: before?.id ?? "", decision: "allow" });
  expect(answer).toEqual({ via: "channel", body: { request: 7, result: { decision: "accept" } } });
});

test("is another one when the same item asks for something else", () => {
  const scene = new CodexScene().connected().began().asks("npm test");
  const seen = scene.reading.asks?.id ?? "";
  scene.said("serverRequest/resolved", { threadId: THREAD, requestId: 1 });
  scene.asks("rm -rf ~", THREAD, { itemId: "call_1" });
  expect(scene.reading.asks?.id).not.toBe(seen);
  expect(() => scene.reader.answer({ ask: seen, decision: "allow" })).toThrow("already answered");
});

test("keeps a command that no quotes are safe around as it is", () => {
  const command = `/bin/bash -lc 'echo '"'"'x'"'"''`;
  const scene = new CodexScene().connected().began().asks("x", THREAD, { command });
  expect(scene.reading.asks?.summary).toBe(command);
});

test("is allowed for the session, or denied with words that follow", () => {
  const scene = new CodexScene().connected().began().asks("npm test");
  const ask = scene.reading.asks?.id ?? "";
  const body = (answer: object) => scene.reader.answer({ ask, decision: "deny", ...answer });
  expect(body({ decision: "always" })).toMatchObject({
    body: { result: { decision: "acceptForSession" } },
  });
  expect(body({ message: " Not now " })).toEqual({
    via: "channel",
    body: {
      request: 1,
      result: { decision: "decline" },
      afterwards: { threadId: THREAD, text: "Not now" },
    },
  });
  expect(() => scene.reader.answer({ ask: "other", decision: "allow" })).toThrow("already answered");
});

test("an edit without its diff can't be allowed here, with it it can", () => {
  const scene = new CodexScene().connected().began();
  const params = { threadId: THREAD, turnId: "turn-1", reason: null, grantRoot: null };
  scene.said("item/fileChange/requestApproval", { ...params, itemId: "unseen" }, 1);
  expect(scene.reading.asks).toMatchObject({ canAnswer: false });
  const ask = scene.reading.asks?.id ?? "";
  expect(() => scene.reader.answer({ ask, decision: "allow" })).toThrow("answer it in its terminal");
  scene.said("serverRequest/resolved", { requestId: 1 });
  const diff = "@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
  const changes = [{ path: "/repo/a.txt", kind: { type: "update", move_path: null }, diff }];
  scene.said("item/started", { threadId: THREAD, item: { type: "fileChange", id: "call_2", changes } });
  scene.said("item/fileChange/requestApproval", { ...params, itemId: "call_2" }, 2);
  expect(scene.reading.asks).toMatchObject({
    ...{ tool: "Edit", summary: "Edit /repo/a.txt", canAnswer: true },
    detail: `--- /repo/a.txt\n+++ /repo/a.txt\n${diff.trimEnd()}`,
  });
});

test("a secret is not typed into the board", () => {
  const scene = new CodexScene().connected().began();
  const asked = { id: "key", header: "Key", question: "Which key?", isSecret: true, options: null };
  const params = { threadId: THREAD, turnId: "turn-1", itemId: "call_1", questions: [asked] };
  scene.said("item/tool/requestUserInput", params, 1);
  expect(scene.reading).toMatchObject({ kind: "question", asks: { canAnswer: false } });
});

const FORM = { threadId: THREAD, turnId: "turn-1", serverName: "lab", mode: "form", _meta: null };
const ELICITATION = "mcpServer/elicitation/request";

test("a form of an MCP server's is passed on, and quoted to be answered in the terminal", () => {
  expect(isHeard({ method: ELICITATION, params: FORM, id: 1 })).toBe(true);
  expect(isHeard({ method: "mcpServer/startupStatus/updated", params: {} })).toBe(false);
  const scene = new CodexScene().connected().began();
  scene.said(ELICITATION, { ...FORM, message: "What is your favourite?" }, 1);
  const reason = "The MCP server lab asks: “What is your favourite?” Answer in its terminal.";
  expect(scene.reading).toMatchObject({ kind: "question", reason, asks: null });
  scene.said("serverRequest/resolved", { threadId: THREAD, requestId: 1 });
  expect(scene.reading.kind).toBe("working");
});

test("a tool of an MCP server's is a permission, though Codex asks for it like a form", () => {
  const scene = new CodexScene().connected().began();
  const message = 'Allow the lab MCP server to run tool "write"?';
  scene.said(ELICITATION, { ...FORM, message, _meta: { codex_approval_kind: "mcp_tool_call" } }, 1);
  const reason = `${message} (Answer in its terminal.)`;
  expect(scene.reading).toMatchObject({ kind: "permission", reason, asks: null });
});

test("what this banto has never heard of asks too, but for what only a program can answer", () => {
  const scene = new CodexScene().connected().began();
  scene.said("item/tool/call", { threadId: THREAD }, 1).said("currentTime/read", { threadId: THREAD }, 2);
  expect(scene.reading.kind).toBe("working");
  scene.said("item/robot/requestApproval", { threadId: THREAD, turnId: "turn-1" }, 3);
  scene.said("item/robot/ask", { threadId: THREAD, turnId: "turn-1", message: "Which one?" }, 4);
  expect(scene.reading).toMatchObject({
    kind: "permission",
    reason: "It's asking for a permission. Answer in its terminal.",
  });
  scene.said("serverRequest/resolved", { threadId: THREAD, requestId: 3 });
  expect(scene.reading).toMatchObject({ kind: "question", reason: "Which one? (Answer in its terminal.)" });
});
