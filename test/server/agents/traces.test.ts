// Real runs of Claude Code, recorded and replayed with every kind of news late by another while each time.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { replay, type Trace } from "./support/replay.ts";

const FOLDER = join(import.meta.dir, "traces");
const traces = readdirSync(FOLDER).map((file): Trace => JSON.parse(readFileSync(join(FOLDER, file), "utf8")));

const NONE = { hooks: () => 0, titles: () => 0, screens: () => 0 };

describe.each(traces.map((trace) => [trace.name, trace] as const))("%s", (_, trace) => {
  test("as it was", () => {
    expect(replay(trace, NONE)).toEqual(trace.history);
  });

  test("in whatever order titles, screens and hooks come", () => {
    const late = (max: number) => fc.infiniteStream(fc.integer({ min: 0, max }));
    fc.assert(
      fc.property(late(60), late(250), late(250), (hooks, titles, screens) => {
        const next = (stream: typeof hooks) => () => stream.next().value ?? 0;
        const delays = { hooks: next(hooks), titles: next(titles), screens: next(screens) };
        expect(replay(trace, delays)).toEqual(trace.history);
      }),
      { numRuns: 200 },
    );
  });
});
