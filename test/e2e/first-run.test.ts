import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../support/browser.ts";
import { gitIn } from "../support/repository.ts";
import { TestServer } from "../support/server.ts";
import { tempDir } from "../support/temp.ts";

const browser = withBrowser();

/** A folder with repositories, a folder that is none, and a file. */
async function codeFolder() {
  const folder = tempDir("code");
  for (const name of ["api", "website"]) {
    mkdirSync(join(folder.path, name));
    await gitIn(join(folder.path, name), "init", "--quiet", "--initial-branch=main");
  }
  mkdirSync(join(folder.path, "api/src"));
  mkdirSync(join(folder.path, "notes"));
  writeFileSync(join(folder.path, "todo.txt"), "");
  symlinkSync("nowhere", join(folder.path, "dangling"));
  return folder;
}

test("the first page suggests repositories and leads to the board by arrow and Enter", async () => {
  using code = await codeFolder();
  await using server = await TestServer.start({ BANTO_PROJECT_ROOTS: code.path });
  await using visitor = await browser.stranger(server);
  const tab = await visitor.signIn();
  const { page } = tab;
  await page.getByRole("option", { name: "website" }).waitFor();
  expect(await page.getByRole("option").count()).toBe(2);

  await tab.type("/WEB");
  await page.getByRole("option", { name: /^api\b/ }).waitFor({ state: "detached" });
  await tab.press("ArrowDown", "Enter");
  await tab.column("backlog").waitFor();
  await tab.press("c");
  await tab.type("First task");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["First task"]);
  const { body } = await server.get<{ path: string }[]>("/api/projects");
  expect(body.map(({ path }) => path)).toEqual([join(code.path, "website")]);
});

test("a click on a suggestion adds it, and adding goes on from the board", async () => {
  using code = await codeFolder();
  await using server = await TestServer.start({ BANTO_PROJECT_ROOTS: code.path });
  await using visitor = await browser.stranger(server);
  const tab = await visitor.signIn();
  await tab.page.getByRole("option", { name: /^api\b/ }).click();
  await tab.column("backlog").waitFor();

  await tab.press("o");
  await tab.type("add");
  await tab.press("Enter");
  const dialog = tab.dialog("Add a project");
  await dialog.getByRole("option", { name: "website" }).waitFor();
  expect(await dialog.getByRole("option", { name: /^api\b/ }).count()).toBe(0);
  await tab.type(join(code.path, "website"));
  await tab.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await tab.button("website").waitFor();
});

test("each way in which a path can be wrong is explained beside the field", async () => {
  using code = await codeFolder();
  await using server = await TestServer.start({ BANTO_PROJECT_ROOTS: code.path });
  await using visitor = await browser.stranger(server);
  visitor.expectConsole(/status of (422|409)/);
  const tab = await visitor.signIn();
  const field = tab.page.getByRole("combobox", { name: "Path of a git repository" });

  async function expectProblem(path: string, problem: RegExp) {
    await field.fill(path);
    await tab.press("Enter");
    await tab.page.getByRole("alert").filter({ hasText: problem }).waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await field.inputValue()).toBe(path);
  }

  await expectProblem("code/api", /is not absolute/);
  await expectProblem(join(code.path, "missing"), /there is nothing at/);
  await expectProblem(join(code.path, "todo.txt"), /is a file/);
  await expectProblem(join(code.path, "notes"), /is not a git repository/);
  await expectProblem(join(code.path, "api/src"), /is inside the repository/);
  await expectProblem(join(code.path, "dangling"), /there is nothing at/);
  await field.fill("");
  await tab.page.getByRole("alert").filter({ hasText: /^$/ }).waitFor({ state: "attached" });

  await field.fill(join(code.path, "api"));
  await tab.press("Enter");
  await tab.column("backlog").waitFor();
  await tab.press("Control+k");
  await tab.type("add a project");
  await tab.press("Enter");
  await tab.dialog("Add a project").waitFor();
  await expectProblem(join(code.path, "api"), /is on the board already, as the project api/);
});

test.skipIf(process.getuid?.() === 0)("a folder banto may not read is explained", async () => {
  using code = await codeFolder();
  chmodSync(join(code.path, "notes"), 0);
  await using server = await TestServer.start();
  await using visitor = await browser.stranger(server);
  visitor.expectConsole(/status of 422/);
  const tab = await visitor.signIn();
  await tab.type(join(code.path, "notes/inside"));
  await tab.press("Enter");
  await tab.page.getByText(/banto isn't allowed to read/).waitFor();
  chmodSync(join(code.path, "notes"), 0o700);
});
