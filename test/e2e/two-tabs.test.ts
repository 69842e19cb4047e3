import { test } from "bun:test";
import { withBrowser } from "../support/browser.ts";
import { holdAnswer } from "../support/held-answer.ts";
import { intercept } from "../support/intercept.ts";
import { TestRepository } from "../support/repository.ts";

const browser = withBrowser();

test("what one tab does shows in the other without a reload", async () => {
  await using scene = await browser.board();
  const { tab, visitor } = scene;
  await visitor.open();
  await tab.page.bringToFront();

  await tab.press("c");
  await tab.type("One");
  await tab.press("Enter");
  await tab.type("Two");
  await tab.press("Enter", "Escape");
  await scene.expectEverywhere({ backlog: ["Two", "One"], active: [], done: [] });

  await tab.card("Two").focus();
  await tab.press("e");
  await tab.type("Renamed");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["Renamed", "One"], active: [], done: [] });

  await tab.press("Space", "ArrowRight", "Space");
  await scene.expectEverywhere({ backlog: ["One"], active: ["Renamed"], done: [] });

  await tab.press("Delete");
  await scene.expectEverywhere({ backlog: ["One"], active: [], done: [] });
  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["One"], active: ["Renamed"], done: [] });
});

test("a project added, renamed and removed elsewhere shows at once, with its cards", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, server } = scene;
  using repository = await TestRepository.create("elsewhere");
  const { body: project } = await server.post<{ id: string }>("/api/projects", { path: repository.path });
  await server.post("/api/tasks", { projectId: project.id, title: "Theirs" });
  await tab.card("Theirs").getByText("elsewhere").waitFor();
  await server.patch(`/api/projects/${project.id}`, { name: "New name" });
  await tab.card("Theirs").getByText("New name").waitFor();
  await server.delete(`/api/projects/${project.id}`);
  await tab.expectColumn("backlog", ["Task"]);
  await server.post(`/api/projects/${project.id}/restore`);
  await tab.expectColumn("backlog", ["Theirs", "Task"]);
});

test("what happens while a list is on its way is not lost with it", async () => {
  await using scene = await browser.board({ backlog: ["Goes", "Stays"] });
  const { tab, server } = scene;
  using repository = await TestRepository.create("elsewhere");
  const answer = await holdAnswer(tab.page, "**/api/tasks");
  const { body: project } = await server.post<{ id: string }>("/api/projects", { path: repository.path });
  await answer.given; // the page asks for the tasks that may have come with it
  await server.post("/api/tasks", { projectId: project.id, title: "Comes" });
  const goes = await tab.card("Goes").getAttribute("data-card");
  await server.delete(`/api/tasks/${goes}`);
  await tab.expectColumn("backlog", ["Comes", "Stays"]);
  await answer.release();
  await server.post("/api/tasks", { projectId: project.id, title: "Comes later" });
  await tab.expectColumn("backlog", ["Comes later", "Comes", "Stays"]);
});

test("two browsers that move the same card end up with the same board", async () => {
  await using scene = await browser.board({ backlog: ["A", "B", "C"] });
  await using someone = await browser.stranger(scene.server);
  const other = await someone.signIn();
  const { tab } = scene;
  using events = await scene.server.events();
  await Promise.all([
    tab.press("j", "Space", "ArrowDown", "ArrowDown", "Space"),
    other.press("j", "Space", "ArrowRight", "Space"),
  ]);
  await events.until(({ type }) => type === "task");
  await events.until(({ type }) => type === "task");
  const { body } = await scene.server.get<{ title: string; status: string }[]>("/api/tasks");
  const of = (status: string) => body.filter((task) => task.status === status).map(({ title }) => title);
  for (const each of [tab, other])
    await each.expectBoard({ backlog: of("backlog"), active: of("active"), done: [] });
});

test("an answer that comes after newer news does not bring the older state back", async () => {
  await using scene = await browser.board({ backlog: ["Task", "Other"] });
  const { tab, board, server } = scene;
  const [task] = await board.column("backlog");
  await intercept(tab.page, `**/api/tasks/${task?.id}`, async (route) => {
    const response = await route.fetch();
    await server.delete(`/api/tasks/${task?.id}`);
    await tab.expectColumn("backlog", ["Other"]);
    await route.fulfill({ response });
  });
  const answered = tab.page.waitForResponse(`**/api/tasks/${task?.id}`);
  await tab.press("j", "p");
  await (await answered).finished();
  await board.addTask({ title: "Later" });
  await tab.expectColumn("backlog", ["Later", "Other"]);
});

/** A browser has six connections to a server, for all its tabs together. */
test("a seventh tab shows the board like the first, and what is done there arrives", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  for (let count = 2; count <= 6; count += 1) await visitor.open();
  const seventh = await visitor.open();
  await seventh.card("Task").focus();
  await seventh.press("e");
  await seventh.type("Renamed");
  await seventh.press("Enter");
  await scene.expectStored({ backlog: ["Renamed"] });
  await tab.expectColumn("backlog", ["Renamed"]);
});
