import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { withBrowser } from "../support/browser.ts";
import { intercept } from "../support/intercept.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

type Watched = typeof globalThis & {
  told: { title: string; body: string; isClosed: boolean; click(): void }[];
  tones: number;
  asked: number;
};

interface Watching {
  /** What the browser says when it is asked. */
  answer: NotificationPermission;
  /** Before it is asked. */
  permission?: NotificationPermission;
  isFocused?: boolean;
}

/** Stands in for the desktop: keeps what it is shown and played, and whether the window is looked at. */
async function watch(page: Page, { answer, permission = "default", isFocused = false }: Watching) {
  await page.addInitScript(
    ([answer, permission, isFocused]) => {
      const watched = globalThis as Watched;
      Object.assign(watched, { told: [], tones: 0, asked: 0 });
      class Shown extends EventTarget {
        static permission = sessionStorage.getItem("permission") ?? permission;
        static async requestPermission() {
          watched.asked += 1;
          Shown.permission = answer;
          sessionStorage.setItem("permission", answer);
          return answer;
        }
        onclick: (() => void) | undefined;
        isClosed = false;
        readonly body: string;
        constructor(
          readonly title: string,
          { body = "" }: { body?: string },
        ) {
          super();
          this.body = body;
          watched.told.push(this);
        }
        click() {
          this.onclick?.();
        }
        close() {
          this.isClosed = true;
        }
      }
      Object.defineProperty(globalThis, "Notification", { value: Shown });
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...when) {
        watched.tones += 1;
        start.apply(this, when);
      };
      document.hasFocus = () => isFocused;
    },
    [answer, permission, isFocused] as const,
  );
  await page.reload();
}

const told = ({ page }: Tab) =>
  page.evaluate(() => (globalThis as Watched).told.map(({ title, body }) => `${title}: ${body}`));
const toldCount = (tab: Tab, count: number) =>
  tab.waitFor((least) => (globalThis as Watched).told.length >= least, count);

/** The next thing the page hears from the server, after which everything before it has had its chance. */
async function settled(scene: AgentScene, ...tabs: Tab[]) {
  const mark = await scene.add(`mark ${crypto.randomUUID()}`, doing("working"));
  for (const tab of tabs) await tab.page.locator(`[data-card="${mark.id}"]`).waitFor({ state: "attached" });
  // A window looks at what it has drawn before it tells, and asks for a lock: both have had their turn after these.
  await Promise.all(
    tabs.map(({ page }) =>
      page.evaluate(async () => {
        for (let i = 0; i < 4; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        await navigator.locks.request("settled", () => {});
      }),
    ),
  );
}

async function switchOn(tab: Tab, ...names: string[]) {
  await tab.expectConnection("Live");
  await tab.button(/^Notifications: /).click();
  const dialog = tab.dialog("Notifications and sound");
  for (const name of names) {
    await dialog.getByRole("switch", { name }).click();
    await dialog.getByRole("switch", { name, checked: true }).waitFor();
  }
  await tab.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

test("nothing is asked of the browser until it is switched on; then each need is told once, and a click opens its card", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  scene.visitor.expectConsole(/WebSocket|4404/);
  await watch(tab.page, { answer: "granted" });
  await tab.expectConnection("Live");
  const task = await scene.add("first", doing("permission", { asks: ask() }));
  await settled(scene, tab);
  expect(await told(tab)).toEqual([]);
  expect(await tab.page.evaluate(() => (globalThis as Watched).asked)).toBe(0);

  await switchOn(tab, "Desktop notifications");
  expect(await tab.page.evaluate(() => (globalThis as Watched).asked)).toBe(1);
  const request = ask({ summary: "rm -rf build" });
  await scene.tell(task, doing("working"));
  await scene.tell(task, doing("permission", { asks: request }));
  await toldCount(tab, 1);
  await scene.server.patch(`/api/tasks/${task.id}`, { title: "renamed" });
  await settled(scene, tab);
  expect(await told(tab)).toEqual(["first: Needs permission. Bash: rm -rf build"]);

  await tab.page.evaluate(() => (globalThis as Watched).told[0]?.click());
  await tab.panel().getByRole("heading", { name: "renamed" }).waitFor({ state: "attached" });
  await tab.press("Escape");
  await scene.tell(task, doing("permission", { asks: ask({ summary: "npm i" }) }));
  await toldCount(tab, 2);
  await scene.tell(task, doing("working"));
  await tab.waitFor(() => (globalThis as Watched).told[1]?.isClosed, null);
  await scene.tell(task, doing("finished", { lastReply: "All done." }));
  await toldCount(tab, 3);
  expect((await told(tab)).slice(1)).toEqual([
    "renamed: Needs permission. Bash: npm i",
    "renamed: Turn finished. All done.",
  ]);
});

test("with several windows open exactly one tells, and none while a person looks at the card", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  const others = [await visitor.open(), await visitor.open()];
  const all = [tab, ...others];
  for (const each of all) await watch(each.page, { answer: "granted", permission: "granted" });
  await switchOn(tab, "Desktop notifications");
  for (const each of all) await each.button("Notifications: on").waitFor();
  const task = await scene.add("asks", doing("working"));
  await scene.tell(task, doing("permission", { asks: ask() }));
  await settled(scene, ...all);
  expect((await Promise.all(all.map(told))).flat()).toEqual(["asks: Needs permission. Bash: npm test"]);

  // Now someone looks at one of the windows, and at the card in it.
  await tab.page.bringToFront();
  await tab.page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event("focus"));
  });
  await tab.page.evaluate(async () => {
    const isHeld = async () =>
      (await navigator.locks.query()).held?.some(({ name }) => name === "banto.looked-at");
    while (!(await isHeld())) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await scene.tell(task, doing("question"));
  await settled(scene, ...all);
  expect((await Promise.all(all.map(told))).flat()).toHaveLength(1);

  // They go to another page: what begins to need them is told by this window again, and by no other.
  await tab.press("g", "h");
  await tab.page.getByRole("heading", { name: "History and trash" }).waitFor();
  const before = (await told(tab)).length;
  await scene.tell(task, doing("trouble", { reason: "Not logged in." }));
  await toldCount(tab, before + 1);
  const counts = await Promise.all(all.map(async (each) => (await told(each)).length));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await told(tab)).toContain("asks: Blocked. Not logged in.");
});

test("sound is off until it is switched on, and a project that must not call does not", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, server } = scene;
  await watch(tab.page, { answer: "granted" });
  // The page does not wait long for the browser's first sound, which may take its time.
  await tab.column("backlog").click();
  await tab.page.evaluate(async () => {
    const audio = new AudioContext();
    await audio.resume();
    await audio.close();
  });
  await switchOn(tab, "Sound");
  const tones = () => tab.page.evaluate(() => (globalThis as Watched).tones);
  await tab.waitFor(() => (globalThis as Watched).tones === 2, null); // as an example
  const task = await scene.add("asks", doing("working"));
  await scene.tell(task, doing("permission", { asks: ask() }));
  await tab.waitFor(() => (globalThis as Watched).tones === 4, null);
  expect(await told(tab)).toEqual([]);

  await server.patch(`/api/projects/${task.projectId}`, { notify: false });
  await scene.tell(task, doing("question"));
  await settled(scene, tab);
  expect(await tones()).toBe(4);

  // What the switch shows counts, also while the server has yet to hear of it.
  const held = Promise.withResolvers<void>();
  await intercept(tab.page, "**/api/projects/*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await tab.button("Notifications: on").click();
  const own = tab.dialog("Notifications and sound").getByRole("region", { name: "Projects" });
  await own.getByRole("switch", { name: "board", checked: false }).click();
  await own.getByRole("switch", { name: "board", checked: true }).waitFor();
  await tab.press("Escape");
  await scene.tell(task, doing("trouble"));
  await tab.waitFor(() => (globalThis as Watched).tones === 6, null);

  const saved = tab.page.waitForResponse(/\/api\/projects\//);
  held.resolve();
  expect(await (await saved).json()).toMatchObject({ notify: true });

  // Where the server says no, so does the switch.
  await intercept(tab.page, "**/api/projects/*", (route) =>
    route.fulfill({ status: 507, json: { error: { code: "storage", message: "The disk is full." } } }),
  );
  scene.visitor.expectConsole(/507/);
  await tab.button("Notifications: on").click();
  await own.getByRole("switch", { name: "board", checked: true }).click();
  await own.getByText("The disk is full.").waitFor();
  await own.getByRole("switch", { name: "board", checked: true }).waitFor();
});

test("a browser that says no is said to, and the switch stays off", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  await watch(tab.page, { answer: "denied" });
  await tab.expectConnection("Live");
  await tab.button("Notifications: off").click();
  const dialog = tab.dialog("Notifications and sound");
  const control = dialog.getByRole("switch", { name: "Desktop notifications" });
  await control.click();
  await dialog.getByText("This browser blocks them.").waitFor();
  expect(await control.getAttribute("aria-checked")).toBe("false");
  expect(await control.isDisabled()).toBe(true);
});
