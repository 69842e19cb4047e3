import { expect, test } from "bun:test";
import { describe, isNearlyFull, pressingLimit, usd } from "../../../src/client/tasks/figures.ts";
import type { Gauges } from "../../../src/contract.ts";

const NONE: Gauges = {
  model: null,
  contextPercent: null,
  costUsd: null,
  fiveHour: null,
  sevenDay: null,
  version: null,
};

test("costs are short and never look like nothing", () => {
  expect([0, 0.004, 0.41, 12.3, 1_204.4].map(usd)).toEqual(["$0.00", "<$0.01", "$0.41", "$12.30", "$1,204"]);
});

test("the limit that will be reached first is told once it is near", () => {
  const limit = (usedPercent: number) => ({ usedPercent, resetsAt: null });
  expect(pressingLimit({ ...NONE, fiveHour: limit(60) })).toBeUndefined();
  expect(pressingLimit({ ...NONE, fiveHour: limit(80), sevenDay: limit(95) })?.name).toBe("week");
  expect(isNearlyFull({ ...NONE, contextPercent: 79 })).toBe(false);
  expect(isNearlyFull({ ...NONE, contextPercent: 80 })).toBe(true);
});

test("everything that is known is said, and nothing that is not", () => {
  expect(describe(NONE)).toBe("");
  expect(
    describe({
      ...NONE,
      model: "Opus",
      contextPercent: 38.4,
      costUsd: 0.41,
      sevenDay: { usedPercent: 12, resetsAt: null },
    }),
  ).toBe("Opus · context 38% full · $0.41 so far · week limit 12% used");
});
