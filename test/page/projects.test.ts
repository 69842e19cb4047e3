import { expect, test } from "bun:test";
import { type Scene, withoutBrowser } from "../support/browser.ts";
import { TestRepository } from "../support/repository.ts";

const browser = withoutBrowser();

/** A second project beside the board's own, with one card. */
async function addSecond(scene: Scene) {
  const repository = await TestRepository.create("second");
  const { body } = await scene.server.post<{ id: string }>("/api/projects", { path: repository.path });
  await scene.server.post("/api/tasks", { projectId: body.id, title: "Of second" });
  return { ...body, repository, [Symbol.dispose]: () => repository[Symbol.dispose]() };
}

test("the switcher shows one project or all, and the address remembers which", async () => {
  await using scene = await browser.board({ backlog: ["Of board"] });
  using second = await addSecond(scene);
  const { tab } = scene;
  await tab.expectColumn("backlog", ["Of second", "Of board"]);

  await tab.button("All projects").click();
  await tab.type("second");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["Of second"]);
  await tab.button("second").waitFor();
  expect(tab.page.url()).toContain(`project=${second.id}`);

  await tab.press("c");
  await tab.type("Another");
  await tab.press("Enter", "Escape");
  await tab.expectColumn("backlog", ["Another", "Of second"]);

  await tab.expectArrived();
  await tab.page.reload();
  await tab.expectColumn("backlog", ["Another", "Of second"]);
  await tab.press("o");
  await tab.type("all");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["Another", "Of second", "Of board"]);
  await tab.page.goBack();
  await tab.expectColumn("backlog", ["Another", "Of second"]);
});

test("a new task goes to the project chosen beside it, and the choice is remembered", async () => {
  await using scene = await browser.board();
  using second = await addSecond(scene);
  const { tab } = scene;
  await tab.expectColumn("backlog", ["Of second"]);
  await tab.press("c");
  await tab.page.locator("form select").selectOption({ label: "second" });
  await tab.page.getByPlaceholder("What needs to be done?").fill("One");
  await tab.press("Enter", "Escape", "c");
  await tab.type("Two");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["Two", "One", "Of second"], active: [], done: [] });
  const { body } = await scene.server.get<unknown[]>(`/api/tasks?projectId=${second.id}`);
  expect(body).toHaveLength(3);
});

test("settings rename a project, name a branch that is not there, and save", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 422/);
  await tab.press("o");
  await tab.type("settings");
  await tab.press("Enter");
  const dialog = tab.dialog("Project settings");
  await dialog.getByLabel("Name").fill("Renamed");
  await dialog.getByLabel("Base branch").fill("gone");
  await dialog.getByLabel("Setup command").fill("npm ci");
  await tab.press("Enter");
  await dialog.getByText(/there is no branch gone/).waitFor();
  await dialog.getByLabel("Base branch").fill("main");
  await tab.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await tab.card("Task").getByText("Renamed").waitFor();
  const { body } = await scene.server.get<{ name: string; setupCommand: string }[]>("/api/projects");
  expect(body).toMatchObject([{ name: "Renamed", setupCommand: "npm ci", baseBranch: "main" }]);
});

test("a removed project takes its cards along, and Undo brings both back", async () => {
  await using scene = await browser.board({ backlog: ["Of board"] });
  using _second = await addSecond(scene);
  const { tab, visitor } = scene;
  const other = await visitor.open();
  await tab.page.bringToFront();
  await tab.press("o");
  await tab.type("second settings");
  await tab.press("Enter");
  await tab.button("Remove from board").click();
  await tab.toast("The repository is untouched.").waitFor();
  await scene.expectEverywhere({ backlog: ["Of board"], active: [], done: [] });
  await tab.button("Undo").click();
  await scene.expectEverywhere({ backlog: ["Of second", "Of board"], active: [], done: [] });
  expect(await other.titles("backlog")).toEqual(["Of second", "Of board"]);
});

test("removing the only project leads to the first page, in every tab", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  const other = await visitor.open();
  await tab.page.bringToFront();
  await tab.press("o");
  await tab.type("settings");
  await tab.press("Enter");
  await tab.button("Remove from board").click();
  for (const { page } of [tab, other])
    await page.getByRole("heading", { name: "Add a repository to begin" }).waitFor();
  await tab.button("Undo").click();
  await scene.expectEverywhere({ backlog: ["Task"], active: [], done: [] });
});

test("a project that is removed elsewhere while it is shown gives way to all of them", async () => {
  await using scene = await browser.board({ backlog: ["Of board"] });
  using _second = await addSecond(scene);
  const { tab, server } = scene;
  const { body } = await server.get<{ id: string; name: string }[]>("/api/projects");
  const second = body.find(({ name }) => name === "second");
  await tab.page.goto(`${server.url}?project=${second?.id}`);
  await tab.expectBoard({ backlog: ["Of second"] });
  await server.delete(`/api/projects/${second?.id}`);
  await tab.expectBoard({ backlog: ["Of board"] });
  expect(new URL(tab.page.url()).search).toBe("");
  await tab.press("c");
  await tab.type("New");
  await tab.press("Enter");
  await scene.expectStored({ backlog: ["New", "Of board"] });
});

test("a repository without a commit is offered its first one as it is added", async () => {
  await using scene = await browser.board();
  using empty = await TestRepository.empty();
  await empty.git("config", "user.name", "Test Person");
  await empty.git("config", "user.email", "person@example.org");
  const { tab } = scene;
  await tab.button("All projects").click();
  await tab.type("add");
  await tab.press("Enter");
  await tab.page.getByLabel("Path of a git repository").fill(empty.path);
  await tab.press("Enter");
  await tab.page.getByRole("heading", { name: "empty has no commit yet" }).waitFor();
  await tab.button("Make an empty commit").click();
  await tab.toast("First commit made").waitFor();
  expect(await empty.git("log", "--format=%s")).toBe("Start");
});
