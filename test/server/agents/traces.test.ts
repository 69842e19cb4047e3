// Real runs of every agent, recorded by bin/compat, and heard again with every kind of news late by another while.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createAgents } from "../../../src/server/agents/agents.ts";
import { type Delays, LATEST, replay, withoutMoments } from "../../compat/replay.ts";
import { allTakes } from "../../compat/results.ts";
import { DEPTH } from "../../support/depth.ts";

const agents = createAgents({
  file: "/nonexistent",
  claudeExecutable: "claude",
  env: { HOME: "/nonexistent" },
});
const takes = allTakes().map(({ agent, version, variant, take }) => {
  return [`${agent} ${version}`, variant, take.name, agent, take] as const;
});

const KINDS = Object.keys(LATEST) as (keyof Delays)[];
const at = () => 0;
const NONE = { hooks: at, titles: at, screens: at, reports: at, notes: at };

describe.each(takes)("%s, %s: %s", (_version, _variant, _name, agent, take) => {
  const hear = (delays: Delays) =>
    withoutMoments(replay((start) => agents.createReader(agent, start), take, delays));
  const history = withoutMoments(take.history);

  test("as it was", () => {
    expect(hear(NONE)).toEqual(history);
  });

  test("in whatever order titles, screens and hooks come", () => {
    const late = (max: number) => fc.infiniteStream(fc.integer({ min: 0, max }));
    fc.assert(
      fc.property(fc.tuple(...KINDS.map((kind) => late(LATEST[kind]))), (streams) => {
        const delays = streams.map((stream, i) => [KINDS[i], () => stream.next().value ?? 0]);
        expect(hear(Object.fromEntries(delays))).toEqual(history);
      }),
      // The same orders each time: a rare one that is read otherwise is for bin/compat to find.
      { numRuns: DEPTH.replaysOfEachTake, seed: 1 },
    );
  });
});
