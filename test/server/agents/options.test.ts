import { expect, test } from "bun:test";
import { optionsOf, requireOptions } from "../../../src/server/agents/options.ts";

test("nothing in it is the same as none", () => {
  expect([requireOptions(undefined), requireOptions(null), requireOptions({})]).toEqual([null, null, null]);
  expect(requireOptions({ extraArgs: [] })).toBeNull();
});

test.each([
  [{ model: "--help" }, "must be a model's name"],
  [{ model: " " }, "must not be empty"],
  [{ extraArgs: ["--settings", "{}"] }, "banto sets --settings itself"],
  [{ extraArgs: ["--resume=x"] }, "banto sets --resume=x itself"],
  [{ extraArgs: ["-p"] }, "banto sets -p itself"],
  [{ extraArgs: ["--"] }, "banto sets -- itself"],
  [{ extraArgs: ["a\0b"] }, "NUL"],
  [{ configDir: "claude" }, "must be an absolute path"],
])("%j is refused", (options, message) => {
  expect(() => requireOptions(options)).toThrow(message);
});

test("the task's win over the project's, one by one", () => {
  const project = { agentOptions: { model: "opus", configDir: "/a" } };
  const own = { agentOptions: { model: "sonnet" } };
  expect(optionsOf({ agent: "claude", ...own }, project)).toEqual({ model: "sonnet", configDir: "/a" });
  expect(optionsOf({ agent: "claude", agentOptions: null }, { agentOptions: null })).toEqual({});
});

test("the project's are not for other agents, which don't know them", () => {
  const project = { agentOptions: { model: "opus" } };
  expect(optionsOf({ agent: "codex", agentOptions: null }, project)).toEqual({});
  expect(optionsOf({ agent: "codex", agentOptions: { model: "gpt-6" } }, project)).toEqual({
    model: "gpt-6",
  });
});
