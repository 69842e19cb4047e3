import { describe, expect, test } from "bun:test";
import { isLive, OPERATIONS, SESSION_STATUSES, TASK_STATUSES } from "../../../src/contract.ts";
import {
  ARCHIVE_REASONS,
  isRejection,
  type SessionEvent,
  type SessionState,
  transition,
} from "../../../src/server/sessions/state.ts";

const EVENTS: SessionEvent[] = [
  ...(["start", "resume", "stop", "retry", "complete", "remove", "leave", "restore"] as const).map(
    (type) => ({
      type,
    }),
  ),
  ...(["start", "resume", "retry"] as const).map((type) => ({ type, activate: true })),
  ...TASK_STATUSES.flatMap((to) =>
    [true, false].map((restores) => ({ type: "reopen" as const, to, restores })),
  ),
  { type: "provisioning" },
  { type: "launched" },
  { type: "output" },
  { type: "asks" },
  { type: "noted" },
  { type: "ended", ok: true },
  { type: "ended", ok: false },
  ...ARCHIVE_REASONS.map((then) => ({ type: "archived" as const, then })),
  { type: "kept" },
  { type: "restored", inPlace: true },
  { type: "restored", inPlace: false },
];

const idle: SessionState = { status: "active", session: null, operation: null, hasWorktree: false };
const keyOf = (state: SessionState) => JSON.stringify(state);

/** Everything that can come to pass from tasks in the three columns. A worktree is made during a start. */
function reachable(): Map<string, SessionState> {
  const found = new Map<string, SessionState>();
  const open: SessionState[] = TASK_STATUSES.map((status) => ({ ...idle, status }));
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (found.has(keyOf(state))) continue;
    found.set(keyOf(state), state);
    open.push(...successors(state));
  }
  return found;
}

function successors(state: SessionState): SessionState[] {
  const next = EVENTS.map((event) => transition(state, event)).filter(
    (result): result is SessionState => !isRejection(result),
  );
  const moved = isRejection(transition(state, { type: "leave" }))
    ? []
    : TASK_STATUSES.map((status) => ({ ...state, status }));
  const made =
    state.session === "provisioning" && state.operation !== null ? [{ ...state, hasWorktree: true }] : [];
  return [...next, ...moved, ...made];
}

describe("whatever happens, in whatever order", () => {
  const states = [...reachable().values()];

  test("a session runs only on an active task", () => {
    expect(states.filter(({ session, status }) => isLive(session) && status !== "active")).toEqual([]);
  });

  test("an operation fits the session it works on", () => {
    const odd = states.filter(({ session, operation }) => {
      if (operation === "start" || operation === "stop") return !isLive(session);
      return false;
    });
    expect(odd).toEqual([]);
  });

  test("a program runs only in a worktree", () => {
    const homeless = states.filter(
      ({ session, hasWorktree }) =>
        !hasWorktree && (session === "running" || session === "waiting_for_input"),
    );
    expect(homeless).toEqual([]);
  });

  test("a session that is promised is being worked on", () => {
    expect(states.filter(({ session, operation }) => session === "pending" && operation === null)).toEqual(
      [],
    );
  });

  test("every state leads back to a task without a session: there is no dead end", () => {
    const stuck = states.filter((start) => {
      const seen = new Set<string>();
      const open = [start];
      for (let state = open.pop(); state !== undefined; state = open.pop()) {
        if (state.session === null && state.operation === null) return false;
        if (seen.has(keyOf(state))) continue;
        seen.add(keyOf(state));
        open.push(...successors(state));
      }
      return true;
    });
    expect(stuck).toEqual([]);
  });

  test("every status and operation can be reached", () => {
    expect(new Set(states.map(({ session }) => session))).toEqual(new Set([null, ...SESSION_STATUSES]));
    expect(new Set(states.map(({ operation }) => operation))).toEqual(new Set([null, ...OPERATIONS]));
  });

  test("a refusal says why, and nothing is changed by it", () => {
    for (const state of states) {
      const before = keyOf(state);
      for (const event of EVENTS) {
        const result = transition(state, event);
        if (isRejection(result)) expect(result.message).toMatch(/^[A-Z].*\.$/);
      }
      expect(keyOf(state)).toBe(before);
    }
  });
});

describe("what a person asks for", () => {
  const running: SessionState = { status: "active", session: "running", operation: null, hasWorktree: true };
  const ended: SessionState = { ...running, session: "failed" };
  const cases: [
    string,
    SessionState,
    SessionEvent["type"],
    Partial<SessionState> | "conflict" | "invalid",
  ][] = [
    ["start, on an active task", idle, "start", { session: "pending", operation: "start" }],
    ["start, in the backlog", { ...idle, status: "backlog" }, "start", "invalid"],
    ["start, with a session there", running, "start", "conflict"],
    ["start, after one that ended", ended, "start", "conflict"],
    [
      "start, in a worktree that was restored",
      { ...idle, hasWorktree: true },
      "start",
      { session: "pending", operation: "start" },
    ],
    ["stop, while it runs", running, "stop", { session: "running", operation: "stop" }],
    [
      "stop, while it starts",
      { ...idle, session: "pending", operation: "start" },
      "stop",
      { operation: "stop" },
    ],
    ["stop, twice", { ...running, operation: "stop" }, "stop", { operation: "stop" }],
    ["stop, when nothing runs", idle, "stop", "conflict"],
    ["stop, after the end", ended, "stop", "conflict"],
    ["resume, after the end", ended, "resume", { session: "pending", operation: "start" }],
    ["resume, while it runs", running, "resume", "conflict"],
    ["resume, with nothing there", idle, "resume", "invalid"],
    ["resume, in the backlog", { ...ended, status: "backlog" }, "resume", "invalid"],
    ["retry, while it runs", running, "retry", { session: "pending", operation: "archive" }],
    ["retry, with nothing there", idle, "retry", { session: "pending", operation: "start" }],
    ["retry, while it is being retried", { ...running, operation: "archive" }, "retry", "conflict"],
    ["retry, of a task that is done", { ...ended, status: "done" }, "retry", "invalid"],
    ["complete, while it runs", running, "complete", { operation: "archive", status: "active" }],
    ["complete, with nothing there", idle, "complete", { status: "done", operation: null }],
    ["delete, while it runs", running, "remove", "conflict"],
    ["delete, after the end", ended, "remove", { operation: "archive" }],
    ["move away, while it runs", running, "leave", "conflict"],
    ["move away, after the end", ended, "leave", ended],
  ];
  for (const [name, state, type, expected] of cases) {
    test(name, () => {
      const result = transition(state, { type } as SessionEvent);
      if (typeof expected === "string") expect(result).toMatchObject({ rejected: expected });
      else expect(result).toEqual({ ...state, ...expected });
    });
  }
});

describe("news that comes too late", () => {
  test("of output does not wake a session that ended", () => {
    expect(transition({ ...idle, session: "done", hasWorktree: true }, { type: "output" })).toMatchObject({
      rejected: "conflict",
    });
  });

  test("of the last session's end leaves the one that a retry has promised", () => {
    const retrying: SessionState = {
      status: "active",
      session: "pending",
      operation: "archive",
      hasWorktree: true,
    };
    expect(transition(retrying, { type: "ended", ok: false })).toEqual(retrying);
  });

  test("of a launch does not undo a stop", () => {
    const stopping: SessionState = { ...idle, session: "provisioning", operation: "stop" };
    expect(transition(stopping, { type: "launched" })).toMatchObject({ rejected: "conflict" });
  });
});
