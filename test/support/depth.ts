// How much of their work the generators do: enough to find a regression, or with `bin/test --deep` all of it, for a
// release. What only the deep tier covers is named in docs/architecture.md, "Tests".

const isDeep = process.env.BANTO_TEST_DEPTH === "deep";
const tier = <T>(usual: T, deep: T): T => (isDeep ? deep : usual);

export const DEPTH = {
  /** Of a random walk over sessions. */
  modelSteps: 1_000,
  /** For so long these walks follow each other; else there is one. */
  modelMinutes: tier(0, 20),
  /** Of the random walk over prompts with the real Claude Code; otherwise always the same one. */
  promptSteps: tier(12, 300),
  promptSeed: tier(1, undefined),
  /** A kill after every step of every action; else after each step in one of the actions that take it. */
  everyStepOfEveryAction: isDeep,
  /** Any two actions at the same moment, on a task in each of its states; else each two in one of these. */
  everyPairInEveryState: isDeep,
  /** Each shape of a repository put away by each verb; else by one. */
  everyShapeByEveryVerb: isDeep,
  /** A start and a deletion at the same moment. */
  overtakenStarts: tier(8, 20),
  /** Started, watched and stopped at the same time. */
  sessionsAtOnce: tier(8, 30),
  /** That talk while the server stops. */
  sessionsTalking: tier(4, 12),
  /** Kills of the server in a stream of parallel writes. */
  killsWhileWriting: tier(4, 30),
  /** Each of forty requests. */
  fuzzBatches: tier(60, 505),
  /** Drawn at random, each with a line. */
  patterns: tier(300, 20_000),
  /** Cards put into the same spot, one after the other. */
  cardsInOneSpot: tier(200, 3_000),
  /** Of bytes that go through a terminal and are compared. */
  streamMegabytes: tier(4, 64),
  /** Of the viewer that reads these. */
  reconnects: tier(25, 200),
  /** Printed while memory is watched. */
  floodMegabytes: tier(40, 140),
  /** Printed to fifty viewers at once. */
  floodLines: tier(200_000, 3_000_000),
  /** Each flood on a terminal in each state; else on every fourth. */
  everyFloodInEveryState: isDeep,
  /** Floods put together at random. */
  floodsAtRandom: tier(3, 15),
  /** Viewers of one flood, of whom one is stalled. */
  crowd: tier(12, 50),
  /** Viewers that come and go before a host's memory is read, ten times. */
  passingViewers: tier(30, 100),
  /** Of a recorded run of an agent, with other delays each time. */
  replaysOfEachTake: tier(4, 100),
  /** Places at which the recording of a program is cut, and the screen compared. */
  screenCuts: tier(4, 20),
  /** The same through a real host. */
  screenCutsThroughHost: tier(2, 5),
  /** Prompts given to the real Claude Code on its command line, of five. */
  claudePrompts: tier(2, 5),
  /** Each pinned version of Claude Code; else the newest. */
  everyClaudeVersion: isDeep,
  /** The real Claude Code in every state, seen in the page; else in those that are answered or outlive the server. */
  everyClaudeStateInPage: isDeep,
};
