import { expect, test } from "bun:test";
import { expectClean } from "../support/axe.ts";
import { LAPTOP, PHONE, type Screen, withBrowser } from "../support/browser.ts";
import { coveredByToasts, expectFits } from "../support/fits.ts";
import { PanelTerminal } from "../support/panel-terminal.ts";
import { Finger, pointIn } from "../support/pointer.ts";
import { ASKING, SessionScene } from "../support/session-scene.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

/** Prints back each line it is given. */
const ECHO = 'echo ready; while read -r line; do echo "got $line"; done';
/** Twenty lines ten times a second, without end. */
const BUSY =
  'while :; do yes "a line of a build that says more than anyone reads" | head -20; sleep 0.1; done';

interface Screens {
  cols: number;
  rows: number;
  text: string;
}

const tile = (tab: Tab, title: string) => tab.page.getByRole("article", { name: title, exact: true });
const titles = (tab: Tab) =>
  tab.page.locator("[data-tile]").evaluateAll((tiles) => tiles.map((each) => each.ariaLabel));
const sees = (tab: Tab, title: string, text: string) =>
  tile(tab, title).locator("[data-screen]", { hasText: text }).waitFor({ state: "attached" });
const screenOf = async ({ server }: SessionScene, id: string) =>
  (await server.get<Screens>(`/api/tasks/${id}/terminal/screen`)).body;

/** This tile is typed into. */
const expectTyping = (tab: Tab, title: string) =>
  tab.waitFor(
    (name) =>
      document.activeElement?.matches("textarea") &&
      document.activeElement.closest("[data-tile]")?.ariaLabel === name,
    title,
  );

async function open(names: string[], { script = ECHO, ...options }: Options = {}) {
  const scene = await SessionScene.open(browser, options);
  try {
    const tasks = [];
    for (const name of names) tasks.push(await scene.sessions.running(script, { title: `: ${name}` }));
    return { scene, tasks, tab: scene.tab };
  } catch (error) {
    await scene[Symbol.asyncDispose]();
    throw error;
  }
}

interface Options {
  script?: string;
  screen?: Screen;
  env?: Record<string, string>;
}

test("g t shows every live terminal with its state; digits and arrows go in, one chord comes out", async () => {
  const { scene, tasks, tab } = await open(["one", "two"], { env: { SHELL: "/bin/sh" } });
  await using _ = scene;
  await scene.start("asks", ASKING);
  await scene.add("idle");
  await scene.server.post(`/api/tasks/${tasks[0]?.id}/shells`, { name: "dev" });
  await tab.expectState(": asks", "Has a question");
  await tab.press("g", "t");
  await sees(tab, ": two", "ready");
  await tile(tab, ": asks").getByText("Has a question").waitFor();
  await tile(tab, "dev · : one").waitFor();
  expect(await titles(tab)).toEqual([": one", "dev · : one", ": two", ": asks"]);

  await tab.press("3");
  await expectTyping(tab, ": two");
  await tab.type("1 g b c");
  await tab.press("Enter");
  await sees(tab, ": two", "got 1 g b c");
  await tab.press("Control+Backquote");
  await tab.expectFocus(": two");
  await tab.press("ArrowLeft");
  await tab.expectFocus("dev · : one");
  await tab.press("ArrowLeft", "Enter");
  await expectTyping(tab, ": one");
  await tab.type("first");
  await tab.press("Enter");
  await sees(tab, ": one", "got first");
  await tile(tab, ": two").click();
  await expectTyping(tab, ": two");
  expect(await tab.page.locator("[data-tile] [data-terminal]:not([inert])").count()).toBe(1);
  await tab.press("Control+Backquote", "Control+Backquote");
  await expectTyping(tab, ": two");
  expect((await screenOf(scene, tasks[0]?.id ?? "")).text).not.toContain("1 g b c");
});

test("a tile that is only watched never resizes its session; one that is typed into gives it 80 columns", async () => {
  const { scene, tasks, tab } = await open(["one", "two", "three", "four"]);
  await using _ = scene;
  const [one, two] = tasks.map(({ id }) => id);
  if (one === undefined || two === undefined) throw new Error("there are no tasks");
  await scene.server.post(`/api/tasks/${one}/terminal/resize`, { cols: 133, rows: 41 });
  await scene.server.post(`/api/tasks/${two}/terminal/resize`, { cols: 160, rows: 50 });
  await tab.press("g", "t");
  await sees(tab, ": one", "ready");
  await tab.resize({ width: 1100, height: 700 });
  await sees(tab, ": two", "ready");
  await tab.press("1");
  await expectTyping(tab, ": one");
  await tab.type("mine");
  await tab.press("Enter");
  await sees(tab, ": one", "got mine");
  await tab.waitFor((name) => {
    const canvas = document.querySelector(`[data-tile][aria-label="${name}"] canvas`);
    const box = canvas?.parentElement?.getBoundingClientRect();
    const picture = canvas?.getBoundingClientRect();
    return box && picture && picture.width <= box.width - 15 && picture.width > box.width * 0.7;
  }, ": one");
  const { cols, rows } = await screenOf(scene, one);
  expect(cols).toBe(80);
  await scene.visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await tab.press("Control+Backquote", "Control+k");
  await tab.type("login link");
  await tab.press("Enter");
  await tab.button("Copy").click();
  await tab.toast("Link copied").waitFor();
  await tab.press("1");
  await expectTyping(tab, ": one");
  await tab.waitFor(() => {
    const bottom = document.activeElement?.getBoundingClientRect().bottom ?? Infinity;
    return bottom < (document.querySelector("main")?.getBoundingClientRect().bottom ?? 0);
  }, null);
  expect(await coveredByToasts(tab)).toEqual([]);
  const below = await tab.page.getByRole("region", { name: "Notifications" }).boundingBox();
  const main = await tab.page.getByRole("main").boundingBox();
  expect(below?.y).toBeGreaterThanOrEqual((main?.y ?? 0) + (main?.height ?? 0));
  await tab.type("still as large");
  await tab.press("Enter");
  await sees(tab, ": one", "got still as large");
  expect(await screenOf(scene, one)).toMatchObject({ cols, rows });
  expect(await screenOf(scene, two)).toMatchObject({ cols: 160, rows: 50 });
});

test("f opens a tile alone and whole, a toast covers nothing of it, and Escape leads back to the grid", async () => {
  const { scene, tasks, tab } = await open(["one", "two"]);
  await using _ = scene;
  const terminal = new PanelTerminal(tab);
  await tab.press("g", "t");
  await tab.expectFocus(": one");
  await tab.press("ArrowRight", "f");
  await tab.panel().getByRole("heading", { name: ": two" }).waitFor({ state: "attached" });
  await terminal.expectKeyboard();
  await tab.resize(LAPTOP);
  await terminal.enter("before");
  await terminal.sees("got before");
  const two = tasks[1]?.id ?? "";
  const { cols, rows } = await screenOf(scene, two);
  await tab.press("Control+Shift+f");
  await tab.page.getByLabel("Find in the terminal").waitFor();
  await tab.button("Delete").click();
  await tab.toast("Stop the agent first.").waitFor();
  expect(await coveredByToasts(tab)).toEqual([]);
  await tab.page.getByLabel("Find in the terminal").press("Escape");
  for (let line = 0; line < rows; line += 1) await tab.press("Enter");
  await terminal.enter("after");
  await terminal.sees("got after");
  expect(await screenOf(scene, two)).toMatchObject({ cols, rows });
  const prompt = await tab.panel().locator("[data-terminal] textarea").boundingBox();
  const footer = await tab.panel().locator("[data-terminal] footer").boundingBox();
  expect((prompt?.y ?? 0) + (prompt?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0);
  await tab.press("Control+Backquote", "Escape");
  await tab.panel().waitFor({ state: "detached" });
  await tab.expectFocus(": two");
});

test("tiles come and go with their sessions, and one that is being typed into stays until it is left", async () => {
  const { scene, tasks, tab } = await open(["one", "two"]);
  await using _ = scene;
  await tab.press("g", "t");
  await sees(tab, ": one", "ready");
  await scene.start("three", ECHO);
  await sees(tab, ": three", "ready");
  await scene.sessions.act(tasks[1]?.id ?? "", "stop");
  await tile(tab, ": two").waitFor({ state: "detached" });
  await tab.press("1");
  await expectTyping(tab, ": one");
  await tab.press("Control+d");
  await tile(tab, ": one").getByText("Finished").waitFor();
  await tab.press("Control+Backquote");
  await tile(tab, ": one").waitFor({ state: "detached" });
  expect(await titles(tab)).toEqual([": three"]);
});

test("a shell that ends while it is typed into stays until it is left", async () => {
  const { scene, tasks, tab } = await open(["one", "two"], { env: { SHELL: "/bin/sh" } });
  await using _ = scene;
  await scene.server.post(`/api/tasks/${tasks[0]?.id}/shells`, { name: "dev" });
  await tab.press("g", "t");
  await tile(tab, "dev · : one").locator("canvas").waitFor();
  await tab.press("2");
  await expectTyping(tab, "dev · : one");
  await tile(tab, "dev · : one").locator("[data-connection=live]").waitFor({ state: "attached" });
  await tab.type("echo last words; exit");
  await tab.press("Enter");
  await tile(tab, "dev · : one").getByText("Ended").waitFor();
  await sees(tab, "dev · : one", "last words");
  await tab.type("g b");
  await expectTyping(tab, "dev · : one");
  await tab.press("Control+Backquote");
  await tile(tab, "dev · : one").waitFor({ state: "detached" });
  expect(await titles(tab)).toEqual([": one", ": two"]);
});

test("with twelve busy sessions, the one that is typed into answers", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `busy ${index + 1}`);
  const { scene, tab } = await open(names, { script: BUSY });
  await using _ = scene;
  const quiet = await scene.sessions.running(ECHO, { title: ": quiet" });
  await tab.press("g", "t");
  await sees(tab, ": busy 12", "a line of a build");
  await tile(tab, ": quiet").click();
  await expectTyping(tab, ": quiet");
  await tab.type("still here");
  await tab.press("Enter");
  await sees(tab, ": quiet", "got still here");
  expect((await screenOf(scene, quiet.id)).text).toContain("got still here");
});

test("a tile that is scrolled out of sight watches nothing, but one that is typed into stays so", async () => {
  const { scene, tab } = await open(
    Array.from({ length: 7 }, (_, index) => `number ${index + 1}`),
    { screen: { width: 1024, height: 350 } },
  );
  await using _ = scene;
  await tab.press("g", "t");
  await sees(tab, ": number 1", "ready");
  await sees(tab, ": number 2", "ready");
  expect(await tile(tab, ": number 7").locator("canvas").count()).toBe(0);
  await tile(tab, ": number 7").scrollIntoViewIfNeeded();
  await sees(tab, ": number 7", "ready");
  await tile(tab, ": number 1").locator("canvas").waitFor({ state: "detached" });

  await tile(tab, ": number 1").scrollIntoViewIfNeeded();
  await sees(tab, ": number 1", "ready");
  await sees(tab, ": number 2", "ready");
  await tab.press("1");
  await expectTyping(tab, ": number 1");
  await tile(tab, ": number 7").scrollIntoViewIfNeeded();
  await sees(tab, ": number 7", "ready");
  await tile(tab, ": number 2").locator("canvas").waitFor({ state: "detached" });
  await tab.type("unseen");
  await tab.press("Enter");
  await sees(tab, ": number 1", "got unseen");
});

test("on a tablet a tap into the tile that is typed into leaves it typed into", async () => {
  const { scene, tab } = await open(["one", "two"], { screen: { width: 1180, height: 820, isPhone: true } });
  await using _ = scene;
  const finger = await Finger.on(tab.page);
  await tab.button("Terminals").tap();
  await sees(tab, ": one", "ready");
  await tile(tab, ": one").tap();
  await expectTyping(tab, ": one");
  await finger.tap(await pointIn(tile(tab, ": one").locator("canvas")));
  await tab.type("still here");
  await tab.press("Enter");
  await sees(tab, ": one", "got still here");
  expect(await tile(tab, ": one").locator("[data-terminal]:not([inert])").count()).toBe(1);
});

test("where nothing runs the page says how to begin; the project and the search choose what is shown", async () => {
  const { scene, tab } = await open([]);
  await using _ = scene;
  await tab.press("g", "t");
  await tab.page.getByRole("heading", { name: "Nothing is running" }).waitFor();
  await expectClean(tab, "empty grid");
  await scene.sessions.running(ECHO, { title: ": one" });
  await scene.sessions.running(ECHO, { title: ": two" });
  await tile(tab, ": two").waitFor();
  await tab.press("/");
  await tab.type("one");
  await tile(tab, ": two").waitFor({ state: "detached" });
  expect(await titles(tab)).toEqual([": one"]);
});

test("axe finds nothing on the grid, watched and typed into", async () => {
  const { scene, tab } = await open(["one", "two", "three"]);
  await using _ = scene;
  await tab.press("g", "t");
  await sees(tab, ": three", "ready");
  await expectClean(tab, "grid");
  await tab.press("2");
  await expectTyping(tab, ": two");
  await expectClean(tab, "grid, typed into");
});

test("on a phone it is a list with the last lines of each, and a tap opens one", async () => {
  const { scene, tab } = await open(["one", "two"], { screen: PHONE });
  await using _ = scene;
  await tab.button("Terminals").tap();
  const entry = tab.page.getByRole("list", { name: "Live terminals" }).getByRole("button", { name: ": two" });
  await entry.getByText("ready").waitFor();
  await expectFits(tab);
  await entry.tap();
  await tab.panel().getByRole("heading", { name: ": two" }).waitFor({ state: "attached" });
  await new PanelTerminal(tab).sees("ready");
  await tab.panel().getByLabel("Close").tap();
  await entry.waitFor();
});
