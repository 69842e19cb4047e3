import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { intercept } from "../support/intercept.ts";
import { expectTyped, recorder } from "../support/terminal/recorder.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

/** The smallest picture there is. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function record(setup = ""): Promise<Stage> {
  const stage = await terminals.run(recorder(setup));
  await stage.sees("ready");
  return stage;
}

const folder = (stage: Stage) => join(stage.board.server.dataDir, "files", stage.session.task.id);

/** Drags files from a folder of the machine, as a file manager does. */
async function drag(stage: Stage, files: string[], types: ("dragEnter" | "dragOver" | "drop")[]) {
  const { x, y } = await stage.cell(5, 5);
  for (const type of types)
    await stage.cdp.send("Input.dispatchDragEvent", {
      type,
      x,
      y,
      data: { items: [], files, dragOperationsMask: 1 },
    });
}

/** What has been typed by now, once it is as long as `least`. */
async function typed(stage: Stage, least = 1): Promise<string> {
  const text = () => Buffer.concat(stage.bridge.typed).toString();
  const deadline = Date.now() + 20_000;
  while (text().length < least) {
    if (Date.now() > deadline) throw new Error(`only ${JSON.stringify(text())} was typed`);
    await stage.page.evaluate(() => new Promise(requestAnimationFrame));
  }
  return text();
}

function put(stage: Stage, name: string, content: string | Uint8Array): string {
  const path = join(stage.dir.path, name);
  writeFileSync(path, content);
  return path;
}

test("a picture from the clipboard is stored, and its path is typed as a paste", async () => {
  await using stage = await record("\\033[?2004h");
  await stage.page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const picture = new Blob([bytes], { type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  }, PIXEL.toString("base64"));
  let before = 0;
  // The second is a paste as plain text, which brings no picture of its own accord.
  for (const [keys, name] of [
    ["Shift+Insert", "image.png"],
    ["Control+Shift+KeyV", "pasted.png"],
  ] as const) {
    await stage.press(keys);
    const text = (await typed(stage, before + 1)).slice(before);
    before += text.length;
    expect(text).toStartWith(`\x1b[200~${folder(stage)}/`);
    expect(text).toEndWith(`-${name} \x1b[201~`);
    const path = text.slice("\x1b[200~".length, -" \x1b[201~".length);
    expect(readFileSync(path).subarray(0, 8)).toEqual(PIXEL.subarray(0, 8));
    await expectTyped(stage, text);
  }
});

test("files that are dropped are stored in their order, and where they go is shown before", async () => {
  await using stage = await record();
  const big = crypto.getRandomValues(new Uint8Array(60_000));
  const files = [put(stage, "a b.txt", "first"), put(stage, "$(touch x).bin", big)];
  await drag(stage, files, ["dragEnter", "dragOver"]);
  await stage.page.getByText("Drop to type").waitFor();
  await drag(stage, files, ["drop"]);
  await stage.page.getByText("Drop here").waitFor({ state: "detached" });
  const [first = "", second = "", ...rest] = (await typed(stage)).split(" ");
  expect(rest).toEqual([""]);
  expect(first).toMatch(/-a-b\.txt$/);
  expect(second).toMatch(/-touch-x\.bin$/);
  expect(readFileSync(first, "utf8")).toBe("first");
  expect(Buffer.from(readFileSync(second)).equals(big)).toBe(true);
  expect(await stage.page.evaluate(() => document.title)).not.toBe("a b.txt");
});

test("text that is dropped is pasted, and text beside a picture of it is what counts", async () => {
  await using stage = await record("\\033[?2004h");
  const { x, y } = await stage.cell(5, 5);
  const data = { items: [{ mimeType: "text/plain", data: "dropped" }], files: [], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await stage.cdp.send("Input.dispatchDragEvent", { type, x, y, data });
  await expectTyped(stage, "\x1b[200~dropped\x1b[201~");
  await stage.page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "a\tb");
    clipboardData.items.add(new File(["picture"], "image.png", { type: "image/png" }));
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await expectTyped(stage, "\x1b[200~a\tb\x1b[201~");
});

test("what can't be stored is said, the rest is typed, and it can be tried again", async () => {
  await using stage = await record();
  stage.expectComplaint(/status of (422|503)|WebSocket/);
  const files = [put(stage, "good.txt", "x"), put(stage, "empty.txt", "")];
  await drag(stage, files, ["dragEnter", "dragOver", "drop"]);
  await stage.page.getByRole("alert").getByText("Couldn't attach empty.txt: the file is empty").waitFor();
  expect(await typed(stage)).toMatch(/-good\.txt $/);

  stage.bridge.cut();
  await drag(stage, [put(stage, "later.txt", "later")], ["dragEnter", "dragOver", "drop"]);
  await stage.page.getByRole("alert").getByText("Couldn't attach later.txt").waitFor();
  stage.bridge.mend();
  await stage.expectState("live");
  const before = (await typed(stage)).length;
  await stage.page.getByRole("button", { name: "Try again" }).click();
  expect((await typed(stage, before + 1)).slice(before)).toMatch(/-later\.txt $/);
});

test("a large file shows how far it is, and can be called off", async () => {
  await using stage = await record();
  stage.expectComplaint(/ERR_/);
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await intercept(stage.page, /\/files\?/, async (route) => {
    resolve();
    await released;
    await route.abort();
  });
  await drag(stage, [put(stage, "large.bin", new Uint8Array(1 << 20))], ["dragEnter", "dragOver", "drop"]);
  await arrived;
  await stage.page.getByText("Uploading large.bin").waitFor();
  await stage.page.getByRole("button", { name: "Cancel" }).click();
  await stage.page.getByText("Handing over").waitFor({ state: "detached" });
  release();
  await stage.press("x");
  await expectTyped(stage, "x");
});

test("a file over the limit is refused before it is sent", async () => {
  await using stage = await record();
  await stage.page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([new Uint8Array((64 << 20) + 1)], "huge.iso"));
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await stage.page
    .getByRole("alert")
    .getByText("Couldn't attach huge.iso: it is larger than 64 MB")
    .waitFor();
});

test("a file that misses the terminal does not replace the page", async () => {
  await using stage = await record();
  mkdirSync(join(stage.dir.path, "sub"));
  const file = put(stage, "sub/page.html", "<title>gone</title>");
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const { x, y } = { x: 20, y: 10 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await stage.cdp.send("Input.dispatchDragEvent", { type, x, y, data });
  await stage.press("x");
  await expectTyped(stage, "x");
});

test("bash reads a dropped file by the path that was typed, and so does one of the task's own shells", async () => {
  await using stage = await terminals.run(["bash", "--norc"]);
  const file = put(stage, "it's here.txt", "read-by-a-shell");
  const readIt = async () => {
    await stage.type("cat ");
    await drag(stage, [file], ["dragEnter", "dragOver", "drop"]);
    await stage.sees("here.txt");
    await stage.press("Enter");
    await stage.sees("read-by-a-shell");
  };
  await readIt();
  await stage.expectSame();
  const { server } = stage.board;
  const { body } = await server.post<{ id: string }>(`/api/tasks/${stage.session.task.id}/shells`);
  await stage.page.goto(`${stage.bridge.page(stage.session.task.id)}&shell=${body.id}`);
  await stage.expectState("live");
  await stage.sees(/[$#]/);
  await readIt();
});
