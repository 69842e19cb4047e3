// Answers a dialog in the terminal by what its choices say: their order differs from version to version.
import { ESC } from "../support/claude-board.ts";
import type { TaskRun } from "../support/task-run.ts";

const DOWN = "\x1b[B";
const TRIES = 30;
const DRAWN_MS = 400;
/** People read before they answer. */
const READ_MS = 1_200;

/** Goes down to the choice that says this, and takes it. */
export async function choose(run: TaskRun, dialog: RegExp, choice: RegExp): Promise<void> {
  await run.sees(dialog);
  await Bun.sleep(READ_MS);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const screen = await run.screen();
    const marked = screen.split("\n").findLast((line) => /^\W*[❯›●>]\s*\S/.test(line)) ?? "";
    // What was asked may be said again once it has been answered; the choice is not.
    if (choice.test(marked)) return run.answerDialog(new RegExp(RegExp.escape(marked.trim())), "\r");
    await run.keys(DOWN);
    const pressed = performance.now();
    while (performance.now() - pressed < DRAWN_MS && (await run.screen()) === screen) await Bun.sleep(20);
  }
  throw new Error(`no choice like ${choice}:\n${await run.screen()}`);
}

/** Leaves a dialog without an answer. */
export async function leaveDialog(run: TaskRun, dialog: RegExp): Promise<void> {
  await run.sees(dialog);
  await Bun.sleep(READ_MS);
  await run.answerDialog(dialog, ESC);
}
