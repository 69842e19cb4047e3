// How much of their work the generators do: enough to find a regression, or with `bin/test --deep` all of it, for a
// release. What only the deep tier covers is named in docs/architecture.md, "Tests".

const isDeep = process.env.BANTO_TEST_DEPTH === "deep";
const tier = <T>(usual: T, deep: T): T => (isDeep ? deep : usual);

export const DEPTH = {
  /** Of the random walk over sessions. */
  modelSteps: tier(1_500, 10_000),
  /** A kill after every step of every action; else after each step in one of the actions that take it. */
  everyStepOfEveryAction: isDeep,
  /** Kills of the server in a stream of parallel writes. */
  killsWhileWriting: tier(5, 30),
  /** Each of forty requests. */
  fuzzBatches: tier(100, 505),
  /** Cards put into the same spot, one after the other. */
  cardsInOneSpot: tier(400, 3_000),
  /** Of bytes that go through a terminal and are compared. */
  streamMegabytes: tier(8, 64),
  /** Prompts given to the real Claude Code on its command line, of five. */
  claudePrompts: tier(2, 5),
};
