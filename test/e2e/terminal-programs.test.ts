import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "../support/programs.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();
const bash = ["bash", "--norc"];

/** Other sizes, and each time the same screen on both sides. */
async function resizeAndCompare(stage: Stage): Promise<void> {
  for (const viewport of [
    { width: 700, height: 500 },
    { width: 1200, height: 800 },
  ]) {
    await stage.resizeTo(viewport);
    await stage.expectSame();
  }
}

async function reloadAndCompare(stage: Stage): Promise<void> {
  await stage.page.reload();
  await stage.expectState("live");
  await stage.expectSame();
}

test("bash: typed, run, resized, reloaded", async () => {
  await using stage = await terminals.run(bash);
  await stage.type("echo hello $((6*7))");
  await stage.press("Enter");
  await stage.sees("hello 42");
  await stage.type("seq 1 300 | paste -sd' '");
  await stage.press("Enter");
  await stage.sees("299 300");
  await stage.expectSame();
  await resizeAndCompare(stage);
  await reloadAndCompare(stage);
});

test("vim: typed into, moved with arrows, wheel and mouse, saved", async () => {
  await using stage = await terminals.run([
    program("vim"),
    "-u",
    "NONE",
    "-c",
    "set mouse=a nocp",
    "note.txt",
  ]);
  await stage.sees(/~\n~/);
  await stage.press("i");
  await stage.type("first line");
  await stage.press("Enter");
  await stage.type("second");
  await stage.press("ArrowUp", "Home");
  await stage.type(">> ");
  await stage.sees(">> first line");
  await stage.press("Escape");
  await stage.expectSame();
  await resizeAndCompare(stage);
  await reloadAndCompare(stage);
  await stage.clickCell(4, 1);
  await stage.press("x");
  await stage.sees("secod");
  await stage.type(":wq");
  await stage.press("Enter");
  await stage.expectState("ended");
  expect(await Bun.file(join(stage.dir.path, "note.txt")).text()).toBe(">> first line\nsecod\n");
});

test("less: the wheel scrolls it, and what was there before comes back", async () => {
  await using stage = await terminals.run(bash);
  writeFileSync(
    join(stage.dir.path, "long.txt"),
    Array.from({ length: 500 }, (_, i) => `row ${i + 1}`).join("\n"),
  );
  await stage.type(`${program("less")} long.txt`);
  await stage.press("Enter");
  await stage.sees("row 30");
  await stage.wheel(5);
  await stage.sees("row 60");
  await stage.expectSame();
  await resizeAndCompare(stage);
  await stage.press("q");
  await stage.sees("less long.txt");
  await stage.expectSame();
});

test("htop: drawn, resized and left", async () => {
  await using stage = await terminals.run([program("htop"), "--no-color", "-d", "100"]);
  await stage.sees("PID");
  await stage.sees("Help");
  await resizeAndCompare(stage);
  await stage.press("F10");
  await stage.expectState("ended");
});

test("tmux: panes, its own mouse, and a reload in the middle", async () => {
  const tmux = [program("tmux"), "-f", "/dev/null", "-S", "tmux.sock"];
  // On a busy machine keys arrive together, which tmux would take for a paste.
  const typed = ["set", "-g", "assume-paste-time", "0", ";"];
  await using stage = await terminals.run([...tmux, "start", ";", ...typed, "new", "bash --norc"]);
  await stage.sees("[0] 0:");
  await stage.press("Control+b", "%");
  await stage.type("echo in-the-$((1+1))nd-pane");
  await stage.press("Enter");
  await stage.sees("in-the-2nd-pane");
  await stage.expectSame();
  await resizeAndCompare(stage);
  await reloadAndCompare(stage);
  await stage.press("Control+b", ":");
  await stage.sees(/\n:\s*$/);
  await stage.type("kill-server");
  await stage.press("Enter");
  await stage.expectState("ended");
});

test("a reload in the middle of output misses and doubles nothing", async () => {
  await using stage = await terminals.run(bash);
  await stage.type("for i in $(seq 1 3000); do echo line $i; done; read; clear; echo $((1+1)) done");
  await stage.press("Enter");
  await stage.sees(/line \d/);
  await stage.page.reload();
  await stage.expectState("live");
  await stage.sees("line 3000");
  await stage.expectSame();
  await stage.press("Control+Shift+KeyA");
  await stage.press("Control+Shift+KeyC");
  const copied = await stage.clipboard();
  const numbers = [...copied.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(500);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 3000 - numbers.length + 1 + i));
});
