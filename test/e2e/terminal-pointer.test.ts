import { expect, test } from "bun:test";
import { expectTyped, recorder } from "../support/terminal/recorder.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

async function print(text: string): Promise<Stage> {
  const stage = await terminals.run([
    "sh",
    "-c",
    `printf '%b' "$1"; printf ready; exec sleep 600`,
    "sh",
    text,
  ]);
  await stage.sees("ready");
  return stage;
}

async function drag(stage: Stage, from: [number, number], to: [number, number]): Promise<void> {
  const start = await stage.cell(...from);
  const end = await stage.cell(...to);
  await stage.page.mouse.move(start.x - 2, start.y);
  await stage.page.mouse.down();
  await stage.page.mouse.move(end.x + 2, end.y, { steps: 4 });
  await stage.page.mouse.up();
}

async function copied(stage: Stage): Promise<string> {
  await stage.press("Control+Shift+KeyC");
  return stage.clipboard();
}

test("what is marked with the mouse is copied, and ^C stays the program's", async () => {
  await using stage = await terminals.run(recorder("one two three\\r\\nfour five six\\r\\n"));
  await stage.sees("ready");
  await stage.page.evaluate(() => navigator.clipboard.writeText("before"));
  await drag(stage, [4, 0], [3, 1]);
  expect(await copied(stage)).toBe("two three\nfour");
  await stage.press("Control+c");
  await expectTyped(stage, "\x03");
});

test("a program that hears of every key leaves the mark to the keys that copy it", async () => {
  await using stage = await terminals.run(recorder("one two three\\r\\n\\033[>10u"));
  await stage.sees("ready");
  await drag(stage, [4, 0], [6, 0]);
  expect(await copied(stage)).toBe("two");
  await stage.page.evaluate(() => navigator.clipboard.writeText("before"));
  expect(await copied(stage)).toBe("two");
});

test("on Windows ^C copies what is marked, and interrupts when pressed again", async () => {
  await using stage = await terminals.run(recorder("one two three\\r\\n"));
  await stage.page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "Win32" }));
  await stage.page.reload();
  await stage.sees("ready");
  await drag(stage, [4, 0], [6, 0]);
  await stage.press("Control+c");
  expect(await stage.clipboard()).toBe("two");
  await stage.press("Control+c");
  await expectTyped(stage, "\x03");
});

test("a double click takes a word with its path, a triple click the whole line, wrapped or not", async () => {
  const long = "word-".repeat(60);
  await using stage = await print(`see /usr/local/bin/x:12 now\\r\\n日本語 x\\r\\n${long}\\r\\n`);
  const { x, y } = await stage.cell(8, 0);
  await stage.page.mouse.dblclick(x, y);
  expect(await copied(stage)).toBe("/usr/local/bin/x:12");
  await stage.page.mouse.click(x, y, { clickCount: 3 });
  expect(await copied(stage)).toBe("see /usr/local/bin/x:12 now");
  const wide = await stage.cell(2, 1);
  await stage.page.mouse.dblclick(wide.x, wide.y);
  expect(await copied(stage)).toBe("日本語");
  const wrapped = await stage.cell(3, 3);
  await stage.page.mouse.click(wrapped.x, wrapped.y, { clickCount: 3 });
  expect(await copied(stage)).toBe(long);
});

test("the wheel goes back in the history, output leaves it there, and typing returns", async () => {
  await using stage = await terminals.run(["bash", "--norc"]);
  await stage.type("seq 1 500");
  await stage.press("Enter");
  await stage.sees(/^500$/m);
  await stage.wheel(-10);
  await stage.page.locator("footer").getByText("30 lines below").waitFor();
  await stage.page.getByRole("button", { name: "30 lines below" }).first().click();
  await stage.page.locator("footer").getByText("below").waitFor({ state: "detached" });
  await stage.press("Shift+PageUp");
  await stage.page.locator("footer").getByText("below").waitFor();
  await stage.type("x");
  await stage.page.locator("footer").getByText("below").waitFor({ state: "detached" });
});

test("a full history that drops its oldest lines moves neither what is looked at nor what is marked", async () => {
  await using stage = await terminals.run(["bash", "--norc"]);
  await stage.type("seq 100001 112000; echo full-$((1 + 1))");
  await stage.press("Enter");
  await stage.sees("full-2");
  await stage.wheel(-10);
  const below = (lines: number) => stage.page.locator("footer").getByText(`${lines} lines below`).waitFor();
  await below(30);
  const { x, y } = await stage.cell(3, 4);
  await stage.page.mouse.dblclick(x, y);
  const word = await copied(stage);
  expect(word).toMatch(/^11\d{4}$/);
  await stage.board.server.post(`/api/tasks/${stage.session.task.id}/terminal/input`, {
    text: "seq 200001 203000",
    submit: true,
  });
  await stage.hostSees("203000");
  await below(3_031);
  await stage.page.evaluate(() => navigator.clipboard.writeText("before"));
  expect(await copied(stage)).toBe(word);
});

test("the mouse is told in the form the program asked for", async () => {
  await using stage = await terminals.run(recorder("\\033[?1002h\\033[?1006h"));
  await stage.sees("ready");
  await drag(stage, [4, 2], [6, 3]);
  await expectTyped(stage, "\x1b[<0;5;3M\x1b[<32;6;4M\x1b[<32;7;4M\x1b[<0;7;4m");
});

test("clicks and the wheel in SGR and in the classic form", async () => {
  await using stage = await terminals.run(recorder("\\033[?1000h\\033[?1006h"));
  await stage.sees("ready");
  const { x, y } = await stage.cell(9, 4);
  await stage.page.mouse.click(x, y);
  await expectTyped(stage, "\x1b[<0;10;5M\x1b[<0;10;5m");
  await stage.page.mouse.click(x, y, { button: "right" });
  await expectTyped(stage, "\x1b[<2;10;5M\x1b[<2;10;5m");
  await stage.page.mouse.wheel(0, -120);
  await expectTyped(stage, "\x1b[<64;10;5M");
  await stage.page.keyboard.down("Shift");
  await stage.page.mouse.click(x, y);
  await stage.page.keyboard.up("Shift");
  await stage.press("x");
  await expectTyped(stage, "x");
});

test("one notch is told once, whatever the browser says of it: lines, or the pixels of a scaled display", async () => {
  await using stage = await terminals.run(recorder("\\033[?1000h\\033[?1006h"));
  await stage.sees("ready");
  const at = await stage.cell(9, 4);
  const turn = (deltaMode: number, deltaY: number, ratio = 1) =>
    stage.page.locator("canvas").evaluate(
      (canvas, { x, y, ratio, ...by }) => {
        Object.defineProperty(window, "devicePixelRatio", { value: ratio, configurable: true });
        const spot = { clientX: x, clientY: y, bubbles: true, cancelable: true };
        canvas.dispatchEvent(new WheelEvent("wheel", { ...spot, ...by }));
      },
      { ...at, deltaMode, deltaY, ratio },
    );
  const [pixels, lines] = [0, 1];
  const down = "\x1b[<65;10;5M";
  await turn(lines, 3);
  await expectTyped(stage, down);
  await turn(lines, -1);
  await expectTyped(stage, "\x1b[<64;10;5M");
  await turn(lines, 6);
  await expectTyped(stage, down.repeat(2));
  await turn(pixels, 100 / 1.5, 1.5);
  await expectTyped(stage, down);
  await turn(pixels, 240 / 1.5, 1.5);
  await expectTyped(stage, down.repeat(2));
});

test("a link opens on Control click, one that is not safe never does", async () => {
  await using stage = await print(
    "go https://example.com/a_(b). or\\r\\n\\033]8;;https://example.org/real\\007named\\033]8;;\\007 and \\033]8;;javascript:alert(1)\\007evil\\033]8;;\\007 file:///etc/passwd\\r\\n" +
      "\\033]8;;https://example.net/login\\007github.com\\033]8;;\\007\\r\\n",
  );
  await stage.context.route(/example/, (route) => route.fulfill({ body: "opened" }));
  const open = async (col: number, row: number) => {
    const { x, y } = await stage.cell(col, row);
    await stage.page.mouse.move(x, y);
    await stage.page.keyboard.down("Control");
    const popup = stage.context.waitForEvent("page");
    await stage.page.mouse.click(x, y);
    await stage.page.keyboard.up("Control");
    const page = await popup;
    const url = page.url() === "about:blank" ? (await page.waitForEvent("framenavigated")).url() : page.url();
    await page.close();
    return url;
  };
  expect(await open(6, 0)).toBe("https://example.com/a_(b)");
  expect(await open(2, 1)).toBe("https://example.org/real");
  const footer = stage.page.locator("footer");
  for (const [col, isLink] of [
    [2, true],
    [11, false],
    [20, false],
  ] as const) {
    const { x, y } = await stage.cell(col, 1);
    await stage.page.mouse.move(x, y);
    await footer.getByText("click opens").waitFor({ state: isLink ? "visible" : "detached" });
  }
  // What says one host and leads to another is asked about.
  const { x, y } = await stage.cell(3, 2);
  await stage.page.mouse.move(x, y);
  await footer.getByText("Not github.com:").waitFor();
  await footer.getByText("example.net").waitFor();
  await stage.page.keyboard.down("Control");
  await stage.page.mouse.click(x, y);
  await stage.page.keyboard.up("Control");
  const offer = stage.page.getByRole("button", { name: "Open example.net/login" });
  await offer.getByText("The text says github.com").waitFor();
  expect(stage.pages).toHaveLength(1);
  const asked = stage.context.waitForEvent("page");
  await offer.click();
  await (await asked).close();
  expect(stage.pages).toHaveLength(1);
});

test("find goes through the history, and the terminal has the keyboard again after it", async () => {
  await using stage = await terminals.run(["bash", "--norc"]);
  await stage.type("seq 1 400 | sed 's/^/Row /'");
  await stage.press("Enter");
  await stage.sees("Row 400");
  await stage.press("Control+Shift+KeyF");
  const bar = stage.page.getByRole("search");
  await bar.getByLabel("Find in the terminal").fill("row 39");
  await bar.getByText("11 of 11").waitFor();
  await stage.press("Enter");
  await bar.getByText("10 of 11").waitFor();
  await bar.getByLabel("Find in the terminal").fill("Row 12");
  await bar.getByText("11 of 11").waitFor();
  await stage.page.locator("footer").getByText("below").waitFor();
  await bar.getByLabel("Find in the terminal").fill("nowhere");
  await bar.getByText("none").waitFor();
  await stage.clickCell(3, 3);
  await stage.press("Control+Shift+KeyF");
  await stage.type("Row 400");
  await bar.getByText("1 of 1").waitFor();
  await stage.press("Escape");
  await stage.type("echo back-$((1+1))");
  await stage.press("Enter");
  await stage.sees("back-2");
});

test("the font can be made larger, and the terminal then has fewer columns", async () => {
  await using stage = await print("");
  await stage.expectFitted();
  const before = (await stage.host.screen()).cols;
  for (let i = 0; i < 5; i++) await stage.press("Control+=");
  await stage.page.waitForFunction(() => localStorage.getItem("banto.terminal.font-size") === "18");
  await stage.expectFitted();
  await stage.hostSize(({ cols }) => cols < before * 0.8);
  await stage.press("Control+0");
  await stage.hostSize(({ cols }) => cols === before);
});
