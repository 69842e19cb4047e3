// Random walks over the real server, real git and real terminals, with the server killed and restarted in between. A
// model of a few lines says what each request must be answered and what must be true afterwards. BANTO_MODEL_SEED=…
// walks the same way again.

import { test } from "bun:test";
import { DEPTH } from "../../support/depth.ts";
import { TestRepository } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { type SmallDisk, smallDisk } from "./support/small-disk.ts";
import { Walk } from "./support/walk.ts";
import { type Step, stepsOf } from "./support/walk-steps.ts";

const { modelSteps: STEPS, modelMinutes: MINUTES } = DEPTH;
const DISK_MEGABYTES = 400;
const LOG_CHARS = 4_000;
const { BANTO_MODEL_SEED: given } = process.env;

/** Without what only looks; of a step for one task, without those for others. */
function pathTo(steps: Step[], last: number): string {
  const { task = undefined } = { ...steps[last] } as { task?: number };
  const isOnTheWay = (step: Step) => task === undefined || !("task" in step) || step.task === task;
  const words = (step: Step) =>
    Object.entries(step).map(([name, value]) => (name === "do" ? value : `${name}=${value}`));
  return steps
    .slice(0, last + 1)
    .flatMap((step, i) =>
      isOnTheWay(step) && step.do !== "look" && step.do !== "rename"
        ? `${i + 1} ${words(step).join(" ")}`
        : [],
    )
    .join("\n");
}

async function walk(seed: number, disk: SmallDisk | undefined): Promise<void> {
  await using board = await SessionBoard.start();
  using library = await TestRepository.create("library");
  const { repository } = board.board;
  const submodule = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
  await repository.git(...submodule, "add", library.path, "library");
  await repository.git("commit", "--quiet", "-m", "submodule");
  const walk = await Walk.begin(board, disk);
  const steps = stepsOf(seed, STEPS);
  for (const [i, next] of steps.entries()) {
    try {
      await walk.take(next);
    } catch (cause) {
      const again = `BANTO_MODEL_SEED=${seed} bin/test ${MINUTES > 0 ? "--deep " : ""}sessions/model`;
      const log = board.server.output.slice(-LOG_CHARS);
      throw new Error(`at step ${i + 1}; to walk there again: ${again}\n${pathTo(steps, i)}\n${log}`, {
        cause,
      });
    }
  }
  await walk.finish({ restoresAll: MINUTES > 0 });
}

const LENGTH = MINUTES > 0 ? `${MINUTES} minutes of` : STEPS;

test(`the server and a model of it stay in step over ${LENGTH} random steps with crashes in between`, async () => {
  using disk = smallDisk(DISK_MEGABYTES);
  const end = performance.now() + MINUTES * 60_000;
  do await walk(given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given), disk);
  while (given === undefined && performance.now() < end);
}, 3_600_000);
