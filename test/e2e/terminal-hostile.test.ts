import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../host/support/host.ts";
import { recorder } from "../support/terminal/recorder.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

/** Prints these bytes, then goes on as a shell. */
async function print(bytes: string | Uint8Array): Promise<Stage> {
  const stage = await terminals.run(["bash", "--norc"]);
  await show(stage, bytes);
  return stage;
}

let shown = 0;

async function show(stage: Stage, bytes: string | Uint8Array): Promise<void> {
  const name = `bytes-${shown++}`;
  writeFileSync(join(stage.dir.path, name), bytes);
  await stage.type(`cat ${name}`);
  await stage.press("Enter");
  await until(() => stage.typed().toString().endsWith(`cat ${name}\r`), "what was typed to be on its way");
}

/** Looks for it as long as there is more output in the meantime. */
async function seesInTheEnd(stage: Stage, text: string): Promise<void> {
  const { offset } = await stage.host.status();
  try {
    await stage.sees(text);
  } catch (error) {
    if ((await stage.host.status()).offset === offset) throw error;
    await seesInTheEnd(stage, text);
  }
}

/** The page is alive, the program reads what is typed, and nothing else was typed at it. */
async function expectUsable(stage: Stage): Promise<void> {
  const before = stage.typed().toString();
  await stage.type("reset; clear; echo still $((40+2)) alive");
  await stage.press("Enter");
  await stage.sees("still 42 alive");
  await stage.expectSame();
  expect(stage.typed().toString()).toBe(`${before}reset; clear; echo still $((40+2)) alive\r`);
}

test("a page that can't make the terminal says so, and tries again when asked", async () => {
  await using stage = await terminals.run(["sh", "-c", "echo here; exec sleep 600"]);
  await stage.page.addInitScript(() => {
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function refuse() {
      throw new RangeError("out of memory");
    } as never;
    window.addEventListener("click", () => Object.assign(WebAssembly, { Instance }), { capture: true });
  });
  await stage.page.reload();
  await stage.page.getByText("The terminal could not be started: out of memory").waitFor();
  await stage.page.getByRole("button", { name: "Try again" }).click();
  await stage.sees("here");
});

test("a picture that the browser took away is drawn again, all of it", async () => {
  await using stage = await terminals.run(["sh", "-c", "seq 1 20; printf ready; exec sleep 600"]);
  await stage.sees("ready");
  const canvas = stage.page.locator("canvas");
  const picture = () => canvas.evaluate((node: HTMLCanvasElement) => node.toDataURL());
  const before = await picture();
  await canvas.evaluate((node: HTMLCanvasElement) => node.getContext("2d")?.reset());
  expect(await picture()).not.toBe(before);
  await canvas.evaluate((node) => node.dispatchEvent(new Event("contextrestored")));
  await stage.page.waitForFunction((was) => document.querySelector("canvas")?.toDataURL() === was, before);
});

test("2,000 hyperlinks and a resize", async () => {
  const links = Array.from(
    { length: 2_000 },
    (_, i) => `\x1b]8;;https://example.com/${i}\x1b\\link ${i}\x1b]8;;\x1b\\ `,
  );
  await using stage = await print(links.join(""));
  await stage.sees("link 1999");
  await stage.resizeTo({ width: 800, height: 600 });
  await stage.resizeTo({ width: 1300, height: 700 });
  await stage.expectSame();
  await expectUsable(stage);
});

test("20,000 families of emoji", async () => {
  await using stage = await print(`${"👨‍👩‍👧‍👦".repeat(20)}\n`.repeat(1_000));
  await expectUsable(stage);
});

test("a title of a megabyte, and one that is not", async () => {
  await using stage = await print(`\x1b]2;${"x".repeat(1_000_000)}\x07\x1b]2;short\x1b\\after`);
  await stage.sees("after");
  await stage.page.waitForFunction(() => document.title === "short");
  await expectUsable(stage);
});

test("the clipboard is neither written nor read for a program", async () => {
  await using stage = await print("");
  await stage.page.evaluate(() => navigator.clipboard.writeText("mine"));
  await show(stage, `\x1b]52;c;${btoa("stolen")}\x07\x1b]52;c;?\x07\x1b]52;p;${btoa("x")}\x1b\\after`);
  await stage.sees("after");
  await expectUsable(stage);
  expect(await stage.clipboard()).toBe("mine");
});

test("every control character, alone and before a letter", async () => {
  const c0 = Array.from({ length: 32 }, (_, i) => i).concat(0x7f);
  const c1 = Array.from({ length: 32 }, (_, i) => 0x80 + i);
  const bytes = [...c0, ...c1].flatMap((byte) => [byte, 0x41, 0x0d, 0x0a]);
  const utf8 = c1.map((byte) => `${String.fromCharCode(byte)}A\r\n`).join("");
  await using stage = await print(Buffer.concat([Buffer.from(bytes), Buffer.from(utf8)]));
  await expectUsable(stage);
});

test("a question to the terminal is answered once, by the host, and never by the page", async () => {
  const questions = [
    "[c",
    "[>c",
    "[5n",
    "[6n",
    "[?6n",
    "[?1$p",
    "]10;?\\007",
    "]11;?\\007",
    "[18t",
    "[>q",
    "[?u",
  ];
  await using stage = await terminals.run(recorder(questions.map((question) => `\\033${question}`).join("")));
  await stage.sees("ready");
  await stage.page.reload();
  await stage.expectState("live");
  await stage.sees("ready");
  await stage.type("x");
  await until(() => stage.typed().length > 0, "the key to be on its way");
  await stage.expectSame();
  expect(stage.typed().toString()).toBe("x");
});

test("10,000 resizes", async () => {
  await using stage = await print("");
  const client = stage.host;
  for (let i = 0; i < 10_000; i++) client.resize({ cols: 20 + (i % 180), rows: 5 + (i % 60) });
  await client.status();
  await stage.page.getByRole("button", { name: "Use this window's size" }).click();
  await stage.expectFitted();
  await expectUsable(stage);
});

test("50 MB of output", async () => {
  await using stage = await print("");
  await stage.type(
    "yes 'a line of some length, to be counted' | head -c 50000000; echo; echo $((20+3)) done",
  );
  await stage.press("Enter");
  await seesInTheEnd(stage, "23 done");
  await expectUsable(stage);
}, 180_000);
