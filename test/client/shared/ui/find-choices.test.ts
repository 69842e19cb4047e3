import { expect, test } from "bun:test";
import { type Findable, findChoices } from "../../../../src/client/shared/ui/find-choices.ts";

const find = (choices: Findable[], typed: string, recent: string[] = []) =>
  findChoices(choices, typed, recent).map(({ label }) => label);

const task = (label: string, detail = "api · Active", words = "") => ({ id: label, label, detail, words });

test("a title comes before a column's name, a branch and a path", () => {
  const choices = [
    task("Drop Node 18", "api · Done"),
    task("Write docs", "api · Active", "banto/done1234-write-docs"),
    task("api", "/srv/done"),
    task("Get the login done"),
    task("Abandoned carts"),
  ];
  expect(find(choices, "done")).toEqual([
    "Get the login done",
    "Abandoned carts",
    "Write docs",
    "Drop Node 18",
    "api",
  ]);
});

test("the beginning of a word counts for more than its middle, and a whole title's beginning for most", () => {
  const choices = [
    task("Catalogue the logs"),
    task("Blog in two languages"),
    task("Fix login"),
    task("Login page"),
  ];
  expect(find(choices, "log")).toEqual([
    "Login page",
    "Catalogue the logs",
    "Fix login",
    "Blog in two languages",
  ]);
  expect(find(choices, "fix LOG")).toEqual(["Fix login"]);
  expect(find(choices, "login pa")[0]).toBe("Login page");
});

test("of what fits equally well, what was used last comes first, the rest as it was", () => {
  const choices = [task("Fix login"), task("Fix logout"), task("Fix logs")];
  expect(find(choices, "fix", ["Fix logs", "Fix logout"])).toEqual(["Fix logs", "Fix logout", "Fix login"]);
  expect(find(choices, "logi", ["Fix logs"])).toEqual(["Fix login"]);
});

test("other words for a thing find it, below what is called so; every word has to occur", () => {
  const choices = [
    { id: "notify", label: "Notifications and sound…", words: "settings alerts" },
    { id: "project", label: "api settings…" },
    task("Prices", "api · Done"),
  ];
  expect(find(choices, "settings")).toEqual(["api settings…", "Notifications and sound…"]);
  expect(find(choices, "settings sound")).toEqual(["Notifications and sound…"]);
  expect(find(choices, "settings nothing")).toEqual([]);
  expect(find(choices, "  ")).toHaveLength(3);
});

test("a word may begin after a sign, and a path or a branch is found as it is written", () => {
  const choices = [task("Port src/login.ts"), task("b", "/srv/api/app")];
  expect(find(choices, "login.ts")).toEqual(["Port src/login.ts"]);
  expect(find(choices, "/srv/api")).toEqual(["b"]);
});
