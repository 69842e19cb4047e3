import { expect, test } from "bun:test";
import { fromText, looksSame, summarise, toText } from "../../../../src/client/tasks/agent/options-text.ts";

test("what is typed comes back as it was, and what is empty is not said", () => {
  const options = {
    model: "opus",
    permissionMode: "plan" as const,
    effort: "high" as const,
    extraArgs: ["--add-dir", "/a b"],
    configDir: "/c",
  };
  expect(fromText(toText(options))).toEqual(options);
  expect(fromText(toText(null))).toBeNull();
  expect(
    fromText({ model: " ", permissionMode: "", effort: "", extraArgs: "\n \n--x\n", configDir: "" }),
  ).toEqual({
    extraArgs: ["--x"],
  });
});

test("one argument with a space is not the same as two", () => {
  expect(looksSame({ extraArgs: ["--add-dir /a"] }, { extraArgs: ["--add-dir", "/a"] })).toBe(false);
  expect(looksSame({ model: "opus", configDir: "/c" }, { configDir: "/c", model: "opus" })).toBe(true);
  expect(looksSame(null, {})).toBe(true);
});

test("they fit on one line", () => {
  expect(summarise(null)).toBe("");
  expect(summarise({ model: "opus", extraArgs: ["--add-dir", "/a"] })).toBe("opus · --add-dir /a");
});
