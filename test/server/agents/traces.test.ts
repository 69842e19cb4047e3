// Real runs of Claude Code, recorded and replayed with every kind of news late by another while each time.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type Delays, replay, type Trace } from "./support/replay.ts";

const FOLDER = join(import.meta.dir, "traces");
const traces = [...new Bun.Glob("*/*.json").scanSync(FOLDER)].sort().map((file) => {
  const trace: Trace = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
  return [dirname(file), trace.name, trace] as const;
});

const at = () => 0;
const NONE = { hooks: at, titles: at, screens: at, reports: at, notes: at };

describe.each(traces)("%s: %s", (_version, _name, trace) => {
  test("as it was", () => {
    expect(replay(trace, NONE)).toEqual(trace.history);
  });

  test("in whatever order titles, screens and hooks come", () => {
    const late = (max: number) => fc.infiniteStream(fc.integer({ min: 0, max }));
    fc.assert(
      fc.property(late(60), late(250), late(250), late(150), late(150), (...streams) => {
        const [hooks, titles, screens, reports, notes] = streams.map(
          (stream) => () => stream.next().value ?? 0,
        );
        const delays = { ...NONE, hooks, titles, screens, reports, notes } as Delays;
        expect(replay(trace, delays)).toEqual(trace.history);
      }),
      { numRuns: 200 },
    );
  });
});
