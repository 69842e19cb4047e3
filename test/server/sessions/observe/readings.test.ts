import { expect, setDefaultTimeout, test } from "bun:test";
import type { Ask } from "../../../../src/contract.ts";
import { createClaudeReader } from "../../../../src/server/agents/claude/reader.ts";
import { createEvents } from "../../../../src/server/events/events.ts";
import { createLog } from "../../../../src/server/log.ts";
import { createReadings } from "../../../../src/server/sessions/observe/readings.ts";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";
import { hook, output, START, title } from "../../agents/support/news.ts";

setDefaultTimeout(30_000);

const SESSION = { taskId: "task", sessionId: "session" };

test("a look that saw nothing is taken again, though nobody says anything", async () => {
  const { promise: lookedTwice, resolve } = Promise.withResolvers<void>();
  let looks = 0;
  const readings = createReadings({
    agents: { createReader: (_, start) => createClaudeReader(start) },
    rows: { find: () => undefined, report: () => undefined },
    events: createEvents({ log: createLog(() => {}) }),
    read() {},
    look() {
      looks += 1;
      if (looks === 2) resolve();
    },
    over() {},
    release() {},
    press() {},
    failed(error) {
      throw error;
    },
  });
  readings.begin(SESSION, "claude", START);
  // Whether it was interrupted is for the screen to say.
  for (const news of [output(1), hook(2, "UserPromptSubmit"), title(3, "rest")])
    readings.observe(SESSION, news);
  readings.caughtUp(SESSION);
  await lookedTwice;
  readings.dispose();
  expect(looks).toBe(2);
});

test("an ask that says something else is written down, and one that is replaced is told as over", () => {
  let row = {
    sessionId: "session",
    sessionStatus: "running",
    activity: null,
    asks: null,
  } as Partial<TaskRow>;
  const over: [string, boolean][] = [];
  const ask = {
    id: "a",
    tool: "Bash",
    summary: "npm test",
    detail: "npm test",
    always: null,
    questions: null,
  };
  let asks: Ask | null = { ...ask, canAnswer: true };
  const reading = {
    ...{ kind: "permission" as const, reason: null, until: null, since: 0, less: null },
    ...{ intake: "open" as const, accepted: null, release: [], again: null },
  };
  const readings = createReadings({
    agents: {
      createReader: (_, start) => ({ ...createClaudeReader(start), read: () => ({ ...reading, asks }) }),
    },
    rows: {
      find: () => row as TaskRow,
      report(_task, _session, _event, change) {
        row = { ...row, ...change?.(row as TaskRow, undefined as never)?.columns };
        return undefined;
      },
    },
    events: createEvents({ log: createLog(() => {}) }),
    over: (_, { id }, hasEnded) => void over.push([id, hasEnded]),
    ...{ look() {}, read() {}, release() {}, press() {}, failed() {} },
  });
  readings.begin(SESSION, "claude", START);
  readings.observe(SESSION, output(1));
  readings.caughtUp(SESSION);
  const shows = (now: Ask | null) => {
    asks = now;
    readings.observe(SESSION, output(2));
    expect(row.asks).toEqual(now);
  };
  shows({ ...ask, detail: "npm test; rm -rf ~", canAnswer: true });
  shows({ ...ask, always: "everything", canAnswer: true });
  shows({ ...ask, canAnswer: false });
  expect(over).toEqual([]);
  shows({ ...ask, id: "b", canAnswer: true });
  expect(over).toEqual([["a", false]]);
  row = { ...row, sessionOperation: "stop" };
  asks = null;
  readings.observe(SESSION, output(3));
  readings.stop("session");
  expect(over).toEqual([
    ["a", false],
    ["b", true],
  ]);
  readings.dispose();
});

test("that banto sees less of an agent is written down with what it does, and taken back", () => {
  let row = {
    sessionId: "session",
    sessionStatus: "running",
    activity: null,
    asks: null,
  } as Partial<TaskRow>;
  let less: string | null = "It refused banto's hooks.";
  const reading = {
    ...{ kind: "working" as const, reason: null, until: null, since: 0, asks: null },
    ...{ intake: "open" as const, accepted: null, release: [], again: null },
  };
  const readings = createReadings({
    agents: {
      createReader: (_, start) => ({ ...createClaudeReader(start), read: () => ({ ...reading, less }) }),
    },
    rows: {
      find: () => row as TaskRow,
      report(_task, _session, _event, change) {
        row = { ...row, ...change?.(row as TaskRow, undefined as never)?.columns };
        return undefined;
      },
    },
    events: createEvents({ log: createLog(() => {}) }),
    ...{ look() {}, read() {}, over() {}, release() {}, press() {}, failed() {} },
  });
  readings.begin(SESSION, "claude", START);
  readings.observe(SESSION, output(1));
  readings.caughtUp(SESSION);
  const since = new Date(0).toISOString();
  expect(row.activity).toEqual({ kind: "working", reason: null, until: null, since, less });
  less = null;
  readings.observe(SESSION, output(2));
  expect(row.activity).toEqual({ kind: "working", reason: null, until: null, since });
  readings.dispose();
});
