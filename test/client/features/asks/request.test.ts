import { expect, test } from "bun:test";
import { firstLines, splitAtOptions } from "../../../../src/client/features/asks/detail.tsx";
import { title } from "../../../../src/client/features/asks/title.ts";
import type { Ask } from "../../../../src/contract.ts";

const ask = (fields: Partial<Ask>): Ask => ({
  id: "a",
  tool: "Bash",
  summary: "npm test",
  detail: "npm test",
  always: null,
  questions: null,
  canAnswer: true,
  ...fields,
});

test("neither the tool nor the command is said twice", () => {
  expect(title(ask({}))).toEqual({ tool: "Bash", text: "npm test", detail: "" });
  expect(title(ask({ tool: "Edit", summary: "Edit src/a.ts", detail: "--- src/a.ts" }))).toMatchObject({
    text: "src/a.ts",
    detail: "--- src/a.ts",
  });
  // As one line it would be another command.
  expect(title(ask({ summary: "npm ci rm -rf .", detail: "npm ci\nrm -rf ." }))).toMatchObject({
    text: "",
    detail: "npm ci\nrm -rf .",
  });
  expect(title(ask({ summary: "npm ci && npm…", detail: "npm ci &&\nnpm test" }))).toMatchObject({
    text: "",
    detail: "npm ci &&\nnpm test",
  });
});

test("a card shows the first lines that say something, and how many more there are", () => {
  expect(firstLines("a\nb\nc", 2, "")).toEqual({ text: "a\nb", more: 1 });
  expect(firstLines("--- x\n+++ x\n@@ @@\n-a\n+b", 2, "x")).toEqual({ text: "@@ @@\n-a", more: 1 });
  expect(firstLines("--- x/y\n+++ x/y\n@@ @@", 2, "x…")).toEqual({ text: "--- x/y\n+++ x/y", more: 1 });
  expect(firstLines("a", 2, "")).toEqual({ text: "a", more: 0 });
});

test("an option is a part of its own, which no line's end cuts in two", () => {
  expect(splitAtOptions("npm test -- --grep 'a -b' -x")).toEqual([
    "npm test ",
    "--",
    " ",
    "--grep",
    " 'a ",
    "-b'",
    " ",
    "-x",
    "",
  ]);
  // Longer than a card is wide: it has to break somewhere.
  expect(splitAtOptions(`rm --${"x".repeat(40)}`)).toHaveLength(1);
  expect(splitAtOptions("git log a-b")).toEqual(["git log a-b"]);
});
