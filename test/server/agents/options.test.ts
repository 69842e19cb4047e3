import { expect, test } from "bun:test";
import { mergeOptions, requireOptions } from "../../../src/server/agents/options.ts";

test("nothing in it is the same as none", () => {
  expect([requireOptions(undefined), requireOptions(null), requireOptions({})]).toEqual([null, null, null]);
  expect(requireOptions({ extraArgs: [] })).toBeNull();
});

test.each([
  [{ model: "--help" }, "must be a model's name"],
  [{ model: " " }, "must not be empty"],
  [{ extraArgs: ["--settings", "{}"] }, "--settings is banto's own to set"],
  [{ extraArgs: ["--resume=x"] }, "--resume=x is banto's own to set"],
  [{ extraArgs: ["-p"] }, "-p is banto's own to set"],
  [{ extraArgs: ["--"] }, "-- is banto's own to set"],
  [{ extraArgs: ["a\0b"] }, "NUL"],
  [{ configDir: "claude" }, "must be an absolute path"],
])("%j is refused", (options, message) => {
  expect(() => requireOptions(options)).toThrow(message);
});

test("the task's win over the project's, one by one", () => {
  expect(mergeOptions({ model: "opus", configDir: "/a" }, { model: "sonnet" })).toEqual({
    model: "sonnet",
    configDir: "/a",
  });
  expect(mergeOptions(null, null)).toEqual({});
});
