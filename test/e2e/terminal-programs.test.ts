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

/** The history is looked at, and the screen that goes on below it stays the same as the host's. */
async function lookBackAndCompare(stage: Stage): Promise<void> {
  await stage.wheel(-5);
  await stage.page.locator("footer").getByText("below").waitFor();
  await stage.expectSame();
  await stage.wheel(9);
  await stage.page.locator("footer").getByText("below").waitFor({ state: "detached" });
}

async function reloadAndCompare(stage: Stage): Promise<void> {
  await stage.page.reload();
  await stage.expectState("live");
  await stage.expectSame();
}

test("bash: typed, run, pasted into, resized, reloaded while it writes, looked back in", async () => {
  await using stage = await terminals.run(bash);
  await stage.type("echo hello $((6*7))");
  await stage.press("Enter");
  await stage.sees("hello 42");
  await stage.type("seq 1 300 | paste -sd' '");
  await stage.press("Enter");
  // With its prompt it asks for pastes to be marked as such.
  await stage.sees(/299\s+300\n.*[$#]\s*$/);
  await stage.expectSame();
  await stage.paste("echo pasted-$((2*3))\necho and-$((3*3))");
  await stage.sees("echo and-");
  await stage.expectSame();
  await stage.press("Enter");
  await stage.sees("and-9");
  await resizeAndCompare(stage);
  await stage.type("seq 1 400");
  await stage.press("Enter");
  await reloadAndCompare(stage);
  await stage.sees(/^400$/m);
  await lookBackAndCompare(stage);
});

test("vim: typed and pasted into, moved with arrows, wheel and mouse, reloaded while it draws, saved", async () => {
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
  await stage.press("o");
  await stage.paste("  pasted\n    as it is");
  await stage.sees("    as it is");
  await stage.press("Escape");
  await stage.expectSame();
  await stage.type(":w");
  await stage.press("Enter");
  await stage.sees("written");
  expect(await Bun.file(join(stage.dir.path, "note.txt")).text()).toBe(
    ">> first line\nsecod\n  pasted\n    as it is\n",
  );
  await stage.type(":for i in range(300) | $put =i | redraw | endfor");
  await stage.press("Enter");
  await reloadAndCompare(stage);
  await stage.type(":$");
  await stage.press("Enter");
  await stage.sees("299");
  await stage.wheel(-20);
  await stage.sees(/^239$/m);
  await stage.expectSame();
  await stage.type(":q!");
  await stage.press("Enter");
  await stage.expectState("ended");
});

test("less: the wheel scrolls it, it finds what is pasted, and what was there before comes back", async () => {
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
  await stage.press("/");
  await stage.paste("row 300");
  await stage.press("Enter");
  await stage.sees("row 320");
  await stage.press("Shift+G");
  await reloadAndCompare(stage);
  await stage.sees("row 500");
  await stage.press("q");
  await stage.sees("less long.txt");
  await stage.expectSame();
});

test("htop: drawn, filtered, scrolled, resized, reloaded and left", async () => {
  await using stage = await terminals.run([program("htop"), "--no-color", "-d", "100"]);
  await stage.sees("PID");
  await stage.sees("Help");
  await resizeAndCompare(stage);
  await stage.press("F4");
  await stage.type("ht");
  await stage.paste("op");
  await stage.sees(/Filter: htop/);
  await stage.press("Enter");
  await stage.wheel(3);
  await reloadAndCompare(stage);
  await stage.press("F10");
  await stage.expectState("ended");
});

test("tmux: panes, pasted into, its own scrolling, and a reload in the middle of output", async () => {
  const tmux = [program("tmux"), "-f", "/dev/null", "-S", "tmux.sock"];
  // On a busy machine keys arrive together, which tmux would take for a paste.
  const typed = ["set", "-g", "assume-paste-time", "0", ";", "set", "-g", "mouse", "on", ";"];
  await using stage = await terminals.run([...tmux, "start", ";", ...typed, "new", "bash --norc"]);
  await stage.sees("[0] 0:");
  await stage.press("Control+b", "%");
  await stage.type("echo in-the-$((1+1))nd-pane");
  await stage.press("Enter");
  await stage.sees("in-the-2nd-pane");
  await stage.expectSame();
  await resizeAndCompare(stage);
  await stage.paste("echo pasted-$((3*4))");
  await stage.press("Enter");
  await stage.sees("pasted-12");
  await stage.type("seq 1 2000");
  await stage.press("Enter");
  await reloadAndCompare(stage);
  await stage.sees(/│2000$/m);
  const { x, y } = await stage.cell((await stage.host.screen()).cols - 5, 5);
  await stage.page.mouse.move(x, y);
  for (let i = 0; i < 3; i++) await stage.page.mouse.wheel(0, -120);
  await stage.sees(/\[\d+\/\d+\]/);
  await stage.expectSame();
  await stage.press("q");
  await stage.press("Control+b", ":");
  await stage.sees(/\n:\s*$/);
  await stage.type("kill-server");
  await stage.press("Enter");
  await stage.expectState("ended");
});

test("fzf: typed and pasted into, scrolled, resized, reloaded while it is fed, and it gives what was chosen", async () => {
  await using stage = await terminals.run(bash);
  await stage.type(`seq 1 200000 | ${program("fzf")} --no-mouse --sync; echo chosen-$?`);
  await stage.press("Enter");
  await reloadAndCompare(stage);
  await stage.sees("200000/200000");
  await stage.type("4");
  await stage.paste("242");
  await stage.sees("> 4242");
  await stage.expectSame();
  await resizeAndCompare(stage);
  await stage.press("ArrowUp", "ArrowUp");
  await stage.wheel(-1);
  await stage.expectSame();
  await reloadAndCompare(stage);
  await stage.press("Control+u");
  await stage.paste("^131313$");
  await stage.sees(/(^|\s)1\/200000/m);
  await stage.press("Enter");
  await stage.sees("chosen-0");
  await stage.sees("131313");
  await stage.expectSame();
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
