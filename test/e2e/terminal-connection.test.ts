import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();
const bash = ["bash", "--norc"];
const isForeign = (page: Page) =>
  page.locator("footer").getByRole("button", { name: "Use this window's size" });
/** A font that comes late gives the terminal another size. */
const fontLoaded = (page: Page) =>
  page.evaluate(async () => void (await document.fonts.load('400 13px "JetBrains Mono Variable"')));

test("a cut line is said, survived, and only what was missed is sent", async () => {
  await using stage = await terminals.run(bash);
  stage.expectComplaint(/WebSocket/);
  await stage.type("for i in $(seq 1 200); do echo line $i; sleep 0.02; done");
  await stage.press("Enter");
  await stage.sees("line 20");
  stage.bridge.cut();
  await stage.expectState("reconnecting");
  await stage.page.getByText("Reconnecting…").waitFor();
  await stage.type("never sent");
  const { text } = await stage.host.screen();
  expect(text).not.toContain("never");
  stage.bridge.mend();
  await stage.expectState("live");
  await stage.sees("line 200");
  await stage.expectSame();
  expect(stage.bridge.told.flatMap((message) => (message.type === "hello" ? [message.replay] : []))).toEqual([
    "full",
    "delta",
  ]);
  await stage.press("Control+Shift+KeyA", "Control+Shift+KeyC");
  const numbers = [...(await stage.clipboard()).matchAll(/^line (\d+)$/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test("a network that is gone is said at once, also where the line tells nothing, and one that is back is noticed", async () => {
  await using stage = await terminals.run(bash);
  stage.expectComplaint(/WebSocket|ERR_INTERNET/);
  await stage.context.setOffline(true);
  await stage.expectState("reconnecting");
  const before = stage.bridge.attempts;
  await stage.context.setOffline(false);
  await stage.expectState("live");
  // By the browser's word, which backoff.test.ts shows is not waited with, or by the try that was due then.
  expect(stage.bridge.attempts - before).toBeLessThanOrEqual(2);
});

test("without a network, a server on the same machine is still there, and what is typed reaches it", async () => {
  await using stage = await terminals.run(bash);
  const before = stage.bridge.attempts;
  await stage.page.evaluate(() => void window.dispatchEvent(new Event("offline")));
  await stage.type("echo $((20+1)) still there");
  await stage.press("Enter");
  await stage.sees("21 still there");
  expect(stage.bridge.attempts - before).toBe(1);
  await stage.expectSame();
});

test("a build goes on, line by line, through a reload, a killed server and ten seconds without a network", async () => {
  await using stage = await terminals.run(bash);
  stage.expectComplaint(/WebSocket|503|500|502/);
  const { bridge, board, page } = stage;
  // Twenty lines a second, so that lines tell the time.
  const build = "i=0; until [ -e stop ]; do i=$((i+1)); echo line $i; sleep 0.05; done";
  await stage.type(`echo I am $$; ${build}; echo I was $$ for $i lines`);
  await stage.press("Enter");
  await stage.sees("line 20");
  await page.reload();
  await stage.expectState("live");
  await stage.sees(/line ([4-9]\d|\d{3})/);
  await board.server.kill("SIGKILL");
  await stage.expectState("reconnecting");
  await board.server.restart();
  await stage.expectState("live");
  bridge.cut();
  await stage.expectState("reconnecting");
  const { text } = await stage.host.screen();
  const last = Number([...text.matchAll(/^line (\d+)$/gm)].at(-1)?.[1]);
  for (const more of [50, 100, 150, 200]) await stage.hostSees(`line ${last + more}`);
  const before = bridge.attempts;
  bridge.mend();
  await stage.expectState("live");
  // The next one it makes: how long that is waited for at most, backoff.test.ts knows.
  expect(bridge.attempts - before).toBe(1);
  writeFileSync(join(stage.dir.path, "stop"), "");
  await stage.sees(/I was \d+/);
  await stage.expectSame();
  await stage.press("Control+Shift+KeyA", "Control+Shift+KeyC");
  const all = await stage.clipboard();
  const [, was = "", lines] = /^I was (\d+) for (\d+) lines$/m.exec(all) ?? [];
  expect([...all.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number))).toEqual(
    Array.from({ length: Number(lines) }, (_, index) => index + 1),
  );
  expect(/^I am (\d+)$/m.exec(all)?.[1]).toBe(was);
});

test("a server that restarts is found again, with the same program", async () => {
  await using stage = await terminals.run(bash);
  stage.expectComplaint(/WebSocket|503|500|502/);
  await stage.type("echo I am $$");
  await stage.press("Enter");
  await stage.sees(/I am \d+/);
  await stage.board.server.kill("SIGKILL");
  await stage.expectState("reconnecting");
  await stage.board.server.restart();
  await stage.expectState("live");
  await stage.type("echo still $$");
  await stage.press("Enter");
  await stage.sees(/still \d+/);
  const text = await stage.expectSame();
  expect(/I am (\d+)/.exec(text)?.[1]).toBe(/still (\d+)/.exec(text)?.[1] ?? "");
});

test("a program that ends is said to have ended, how, and what it left stays", async () => {
  await using stage = await terminals.run(bash);
  await stage.type("echo last words; exit 3");
  await stage.press("Enter");
  await stage.page.getByText("The program ended with exit code 3.").waitFor();
  await stage.sees("last words");
});

test("a task without a session says so", async () => {
  await using stage = await terminals.run(bash);
  await stage.board.setTask(stage.session.task.id, { sessionStatus: null, sessionId: null });
  await stage.page.reload();
  await stage.page.getByText("There is no session here.").waitFor();
});

test("two windows: the one typed in decides the size, the other shows it whole and can take it", async () => {
  await using stage = await terminals.run(bash);
  await stage.expectFitted();
  const other = await stage.openPage({ width: 700, height: 500 });
  await isForeign(other).waitFor();
  const scaled = await other.locator("canvas").boundingBox();
  expect(scaled?.width).toBeLessThanOrEqual(700);
  await other.getByRole("button", { name: "Use this window's size" }).click();
  await isForeign(other).waitFor({ state: "detached" });
  await isForeign(stage.page).waitFor();
  const { cols } = await stage.host.screen();
  expect(cols).toBeLessThan(90);
  await stage.type("x");
  await isForeign(stage.page).waitFor({ state: "detached" });
  await isForeign(other).waitFor();
  await stage.expectSame();
});

test("three windows: the last typist's size holds for all, through reloads and lost lines, until another types", async () => {
  await using stage = await terminals.run(bash);
  stage.expectComplaint(/WebSocket|503/);
  const small = await stage.openPage({ width: 500, height: 400 });
  const wide = await stage.openPage({ width: 1800, height: 500 });
  for (const page of [stage.page, small, wide]) await fontLoaded(page);
  const size = async () => {
    const { cols, rows } = await stage.host.screen();
    return { cols, rows };
  };
  const type = async (page: Page, text: string) => {
    await page.getByLabel("Terminal input").focus();
    await page.keyboard.type(text);
  };
  /** All of it is to be seen, and the ones it was not made for say so. */
  const expectOwner = async (owner: Page) => {
    for (const page of [stage.page, small, wide]) {
      await isForeign(page).waitFor({ state: page === owner ? "detached" : "visible" });
      await page.waitForFunction(() => {
        const canvas = document.querySelector("canvas")?.getBoundingClientRect();
        const box = document.querySelector("canvas")?.parentElement?.getBoundingClientRect();
        return canvas && box && canvas.right <= box.right && canvas.bottom <= box.bottom;
      });
    }
  };
  await type(small, "a");
  await expectOwner(small);
  const { cols } = await size();
  expect(cols).toBeLessThan(65);
  await type(wide, "b");
  await expectOwner(wide);
  const wished = await size();
  expect(wished.cols).toBeGreaterThan(200);

  await wide.reload();
  await wide.locator("[data-connection=live]").waitFor({ state: "attached" });
  await fontLoaded(wide);
  await expectOwner(wide);
  expect(await size()).toEqual(wished);

  const told = stage.bridge.told.length;
  stage.bridge.cut();
  for (const page of [stage.page, small, wide])
    await page.locator("[data-connection=reconnecting]").waitFor({ state: "attached" });
  stage.bridge.mend();
  for (const page of [small, stage.page, wide])
    await page.locator("[data-connection=live]").waitFor({ state: "attached" });
  await expectOwner(wide);
  expect(await size()).toEqual(wished);
  expect(stage.bridge.told.slice(told).filter(({ type }) => type === "size")).toEqual([]);

  await type(small, "c");
  await expectOwner(small);
  expect((await size()).cols).toBe(cols);
  await stage.page.getByRole("button", { name: "Use this window's size" }).click();
  await expectOwner(stage.page);
  for (const page of [stage.page, small, wide])
    await page.locator("[data-screen]", { hasText: "abc" }).waitFor({ state: "attached" });
  await stage.expectSame();
});

test("a window that changes while the line is cut has its size once it is back", async () => {
  await using stage = await terminals.run(bash);
  stage.expectComplaint(/WebSocket|503/);
  await stage.expectFitted();
  stage.bridge.cut();
  await stage.expectState("reconnecting");
  await stage.page.setViewportSize({ width: 900, height: 600 });
  // Long enough for the new size to have come to rest.
  const before = stage.bridge.attempts;
  while (stage.bridge.attempts < before + 2)
    await stage.page.evaluate(() => new Promise(requestAnimationFrame));
  stage.bridge.mend();
  await stage.expectState("live");
  await stage.hostSize(({ cols }) => cols < 120);
  await stage.expectFitted();
});

test("a tab that nobody sees neither reads nor resizes, and is up to date when it is looked at", async () => {
  await using stage = await terminals.run(bash);
  await fontLoaded(stage.page);
  await isForeign(stage.page).waitFor({ state: "detached" });
  await stage.expectFitted();
  const { cols, rows } = await stage.host.screen();
  await stage.hide(true);
  await stage.page.setViewportSize({ width: 600, height: 400 });
  await stage.board.server.post(`/api/tasks/${stage.session.task.id}/terminal/input`, {
    text: "seq 1 400000; echo $((1+1)) finished",
    submit: true,
  });
  await stage.hostSees("2 finished");
  expect(await stage.shown()).not.toContain("2 finished");
  const hidden = await stage.host.screen();
  expect({ cols: hidden.cols, rows: hidden.rows }).toEqual({ cols, rows });
  await stage.hide(false);
  await stage.sees("2 finished");
  await stage.expectFitted();
  await stage.expectSame();
});
