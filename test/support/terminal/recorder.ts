// A program that asks the terminal for something, then writes down every byte that is typed at it.
import { join } from "node:path";
import type { Stage } from "./stage.ts";

const FILE = "typed.bin";

/** `setup` as printf's %b takes it. */
export const recorder = (setup = "") => [
  "sh",
  "-c",
  `: >${FILE}; stty raw -echo; printf '%b' "$1"; printf ready; exec cat >${FILE}`,
  "sh",
  setup,
];

/** The program comes to have received exactly this since the last time. */
export async function expectTyped(stage: Stage, expected: string): Promise<void> {
  const file = Bun.file(join(stage.dir.path, FILE));
  const before = received.get(stage) ?? 0;
  const wanted = Buffer.from(expected);
  const deadline = Date.now() + 10_000;
  for (;;) {
    const bytes = Buffer.from(await file.bytes()).subarray(before);
    if (bytes.equals(wanted)) break;
    if (bytes.length > wanted.length || Date.now() > deadline) {
      throw new Error(
        `it received ${JSON.stringify(bytes.toString("latin1"))}, not ${JSON.stringify(wanted.toString("latin1"))}`,
      );
    }
    await stage.page.evaluate(() => new Promise(requestAnimationFrame));
  }
  received.set(stage, before + wanted.length);
}

const received = new WeakMap<Stage, number>();
