import { expect, test } from "bun:test";
import { fromText, summarise, toText } from "../../../src/client/agent/options-text.ts";

test("what is typed comes back as it was, and what is empty is not said", () => {
  const options = {
    model: "opus",
    permissionMode: "plan" as const,
    extraArgs: ["--add-dir", "/a b"],
    configDir: "/c",
  };
  expect(fromText(toText(options))).toEqual(options);
  expect(fromText(toText(null))).toBeNull();
  expect(fromText({ model: " ", permissionMode: "", extraArgs: "\n \n--x\n", configDir: "" })).toEqual({
    extraArgs: ["--x"],
  });
});

test("they fit on one line", () => {
  expect(summarise(null)).toBe("");
  expect(summarise({ model: "opus", extraArgs: ["--add-dir", "/a"] })).toBe("opus · --add-dir /a");
});
