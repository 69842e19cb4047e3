// Answers a dialog with its own keys. A key that comes too late would be typed into something else, so nothing is
// typed before the screen shows what it is for.
import type { KeyStep } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { HostConnection, Screen } from "../../hosts/connection.ts";

const LOOK_AGAIN_MS = 20;
const PATIENCE_MS = 3_000;

/** False when the dialog is not there, and nothing was typed. */
export async function typeSteps(
  host: Pick<HostConnection, "screen" | "send" | "status">,
  steps: readonly KeyStep[],
): Promise<boolean> {
  for (const [index, { keys, when }] of steps.entries()) {
    if (!(await shows(host, when, index === 0 ? 0 : PATIENCE_MS))) {
      if (index === 0) return false;
      throw new DomainError(
        "conflict",
        "Only part of the answer reached its dialog. Look at its terminal and finish it there.",
      );
    }
    host.send(keys);
  }
  // Answered in order: once this comes back, what was typed is with the program.
  await host.status();
  return true;
}

async function shows(
  host: Pick<HostConnection, "screen">,
  when: (screen: Screen) => boolean,
  patienceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (!when(await host.screen())) {
    if (performance.now() >= deadline) return false;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
  return true;
}
