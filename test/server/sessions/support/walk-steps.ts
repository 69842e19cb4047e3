// What can happen next on a random walk over sessions, and how often it does.

import fc from "fast-check";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";

export const TASKS = 6;

export type Column = TaskRow["status"];

const ASKS = ["start", "stop", "resume", "retry", "complete"] as const;
export type Ask = (typeof ASKS)[number];

const CHANGES = ["delete", "undo", "restore"] as const;
export type Change = (typeof CHANGES)[number];

export type Death = "SIGTERM" | "SIGKILL";

export type Step =
  | { do: "ask"; what: Ask; task: number; crash: boolean; isFull: boolean }
  | { do: "move"; to: Column; task: number }
  | { do: "rename"; title: string; task: number }
  | { do: Change | "look"; task: number }
  | { do: "end"; code: number; task: number }
  | { do: "restart"; how: Death }
  /** The data directory is renamed between two runs of the server. */
  | { do: "relocate"; how: Death }
  /** A copy of the data directory is started between two runs of the server. */
  | { do: "copy"; how: Death }
  /** The same, and it is the copy that goes on. */
  | { do: "go on in a copy"; how: Death }
  /** The clock jumps between two runs of the server. */
  | { do: "clock"; days: number }
  /** A month goes by, or the clock jumps by one and a person says that it is right. */
  | { do: "month"; isSteady: boolean }
  /** While a session's host doesn't answer, the server is killed and started again, or this is asked for. */
  | { do: "freeze"; what: "kill" | "stop" | "complete"; task: number }
  /** The disk is full when this is asked for, or so many milliseconds later. */
  | { do: "fill"; what: Ask | Change; after: number | null; task: number };

const task = fc.nat(TASKS - 1);
const how = fc.constantFrom<Death>("SIGTERM", "SIGKILL");
const oneIn = (count: number) => fc.integer({ min: 1, max: count }).map((n) => n === 1);

/** Of a thousand. */
const WEIGHTS: [weight: number, arbitrary: fc.Arbitrary<Step>][] = [
  [262, fc.record({ do: fc.constant("look" as const), task })],
  [326, fc.record({ do: fc.constant("rename" as const), title: fc.stringMatching(/^[a-z]{1,9}$/), task })],
  [
    260,
    fc.record({
      do: fc.constant("move" as const),
      to: fc.constantFrom<Column>("backlog", "active", "active", "done"),
      task,
    }),
  ],
  [
    90,
    fc.record({
      do: fc.constant("ask" as const),
      what: fc.constantFrom(...ASKS),
      task,
      crash: oneIn(20),
      /** Nothing can be told to have come to its end, until it has been tried. */
      isFull: oneIn(60),
    }),
  ],
  [20, fc.record({ do: fc.constantFrom(...CHANGES), task })],
  [20, fc.record({ do: fc.constant("end" as const), code: fc.constantFrom(0, 0, 3), task })],
  [
    4,
    fc.record({
      do: fc.constantFrom(
        "restart" as const,
        "relocate" as const,
        "copy" as const,
        "go on in a copy" as const,
      ),
      how,
    }),
  ],
  [2, fc.record({ do: fc.constant("clock" as const), days: fc.constantFrom(-400, -1, 0, 2, 40) })],
  [2, fc.record({ do: fc.constant("month" as const), isSteady: fc.boolean() })],
  [
    6,
    fc.record({
      do: fc.constant("freeze" as const),
      what: fc.constantFrom("kill" as const, "stop" as const, "complete" as const),
      task,
    }),
  ],
  [
    8,
    fc.record({
      do: fc.constant("fill" as const),
      what: fc.constantFrom(...ASKS, ...CHANGES),
      after: fc.oneof(fc.constant(null), fc.nat(150)),
      task,
    }),
  ],
];

const step = fc.oneof(...WEIGHTS.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** The same for the same seed. */
export const stepsOf = (seed: number, count: number): Step[] =>
  fc.sample(fc.array(step, { minLength: count, maxLength: count, size: "max" }), { numRuns: 1, seed })[0] ??
  [];
