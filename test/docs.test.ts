// The documents name files and folders by their last parts, such as `verbs/start.ts`: each is there. One is written by
// bin/compat.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { renderPage } from "./compat/page.ts";
import { allResults } from "./compat/results.ts";

const ROOT = join(import.meta.dir, "..");
const WALKED = ["bench", "bin", "docs", "src", "test"];
const CODE = /`(\w[\w.-]*(?:\/[\w.-]+)*(?:\.tsx?|\.css|\.md|\/))`/g;
const LINK = /\]\(([^)#:]+)(?:#[^)]*)?\)/g;

const there = WALKED.flatMap((folder) => [
  `/${folder}`,
  ...readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
    (name) => `/${folder}/${name}`,
  ),
]);
const isThere = (name: string) => there.some((path) => path.endsWith(`/${name.replace(/\/$/, "")}`));

const documents = ["README.md", ...there.filter((path) => path.endsWith(".md")).map((path) => path.slice(1))];

test.each(documents)("%s names only files that are there", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");
  const named = [...text.matchAll(CODE)].map(([, name = ""]) => name);
  const linked = [...text.matchAll(LINK)].map(([, to = ""]) => normalize(join(dirname(document), to)));
  expect([...named, ...linked].filter((name) => !isThere(name))).toEqual([]);
});

test("docs/compatibility.md says what the results say", () => {
  expect(readFileSync(join(ROOT, "docs/compatibility.md"), "utf8")).toBe(renderPage(allResults()));
});
