import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { generateNKeysBetween } from "fractional-indexing";
import {
  type Columns,
  neighbour,
  nextGap,
  placeOf,
  positionAt,
  successor,
  toColumns,
  withAt,
  withinRank,
  without,
} from "../../../../src/client/features/board/order.ts";
import type { Project, Task } from "../../../../src/client/shared/api/rows.ts";
import { SESSION_STATUSES, TASK_STATUSES, type TaskStatus } from "../../../../src/contract.ts";
import { NOW, task } from "../../support/task.ts";

const project: Project = {
  id: "p",
  name: "Shop",
  path: "/shop",
  baseBranch: "main",
  setupCommand: null,
  worktreeInclude: null,
  agent: null,
  agentOptions: null,
  otherOptions: null,
  notify: true,
  createdAt: NOW,
  updatedAt: NOW,
  deletedAt: null,
};

const columnsOf = (counts: Record<TaskStatus, number>): Columns => {
  const column = (status: TaskStatus) =>
    generateNKeysBetween(null, null, counts[status]).map((position, index) =>
      task(`${status}${index}`, { status, position }),
    );
  return { backlog: column("backlog"), active: column("active"), done: column("done") };
};

const show = (tasks: Task[], filter: { projectId?: string; search?: string } = {}) =>
  toColumns(tasks, { projects: [project], projectId: null, search: "", ...filter });
const ids = (tasks: Task[]) => tasks.map(({ id }) => id);

describe("columns", () => {
  test("hold pinned cards first, then go by position", () => {
    const tasks = [
      task("c", { position: "a2" }),
      task("b", { position: "a1" }),
      task("z", { position: "a9", pinned: true }),
      task("upper", { position: "Zz" }),
    ];
    expect(ids(show(tasks).backlog)).toEqual(["z", "upper", "b", "c"]);
  });

  test("leave out the cards of a project that is gone", () => {
    expect(ids(show([task("a"), task("b", { projectId: "gone" })]).backlog)).toEqual(["a"]);
  });

  test("are searched by title, description and project, in any case", () => {
    const tasks = [task("a", { title: "Über uns" }), task("b", { description: "ÜBERSETZEN" }), task("c")];
    expect(ids(show(tasks, { search: " über" }).backlog)).toEqual(["a", "b"]);
    expect(show(tasks, { search: "shop" }).backlog).toHaveLength(3);
    expect(show(tasks, { search: "no such" }).backlog).toHaveLength(0);
  });

  test("of one project hold only its cards", () => {
    expect(show([task("a")], { projectId: "other" }).backlog).toEqual([]);
  });
});

describe("a card put into a gap", () => {
  test("stands exactly there, whichever the card and the gap", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...TASK_STATUSES),
        (count, which, where, status) => {
          const columns = columnsOf({ backlog: count, active: 5, done: 0 });
          const card = columns.backlog[which % count];
          if (card === undefined) return false;
          const rest = without(columns, card.id)[status];
          const index = where % (rest.length + 1);
          const moved = { ...card, status, position: positionAt(status, rest, index, card) };
          return show([...rest, moved])[status][index]?.id === card.id;
        },
      ),
    );
  });

  test("stays among the pinned ones, or below them", () => {
    const pinned = ["a0", "a1"].map((position) => task(`pinned ${position}`, { position, pinned: true }));
    const others = ["a0", "a1"].map((position) => task(`other ${position}`, { position }));
    const card = task("card", { position: "a5" });
    const column = [...pinned, ...others];
    const moved = { ...card, position: positionAt("backlog", column, 0, card) };
    expect(ids(show([...column, moved]).backlog).indexOf("card")).toBe(2);
  });
});

test("a card finds its place between two that share a position while one of them is on its way", () => {
  const twins = ["one", "two"].map((id) => task(id, { position: "a1" }));
  const card = task("card", { position: "a5" });
  const position = positionAt("backlog", twins, 1, card);
  expect(position > "a1").toBe(true);
});

describe("Active", () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

  test("stands by need: who waits, oldest first, then failed, finished, working and idle ones", () => {
    const tasks = [
      task("idle", { status: "active" }),
      task("working", { status: "active", sessionStatus: "running" }),
      task("finished", { status: "active", sessionStatus: "done" }),
      task("failed", { status: "active", sessionStatus: "failed", sessionError: "why" }),
      task("later", {
        status: "active",
        sessionStatus: "waiting_for_input",
        sessionChangedAt: at(2),
        position: "a0",
      }),
      task("sooner", {
        status: "active",
        sessionStatus: "waiting_for_input",
        sessionChangedAt: at(1),
        updatedAt: at(3), // somebody gave it another title
        position: "a1",
      }),
      task("stopped", {
        status: "active",
        sessionStatus: "failed",
        sessionError: "Stopped.",
        position: "Zz",
      }),
    ];
    expect(ids(show(tasks).active)).toEqual([
      "sooner",
      "later",
      "failed",
      "finished",
      "working",
      "stopped",
      "idle",
    ]);
  });

  test("takes a card into any gap, and shows it in the gap of its own rank that is nearest", () => {
    const card = fc.record({
      pinned: fc.boolean(),
      sessionStatus: fc.option(
        fc.constantFrom(...SESSION_STATUSES.filter((name) => name !== "waiting_for_input")),
      ),
    });
    fc.assert(
      fc.property(fc.array(card, { maxLength: 12 }), card, fc.nat(), (others, moved, where) => {
        const positions = generateNKeysBetween(null, null, others.length);
        const tasks = others.map((fields, index) =>
          task(`${index}`, { ...fields, status: "active", position: positions[index] ?? "" }),
        );
        const columns = show(tasks);
        const mine = task("mine", { ...moved, status: "active" });
        const gap = withinRank(columns, { status: "active", index: where % (others.length + 1) }, mine);
        const position = positionAt("active", columns.active, gap.index, mine);
        const after = show([...tasks, { ...mine, position }]).active;
        return after[gap.index]?.id === "mine";
      }),
    );
  });

  test("leaves a card that waits for a person its place in the queue", () => {
    const [first, second] = ["a", "b"].map((id, index) =>
      task(id, {
        status: "active",
        sessionStatus: "waiting_for_input",
        sessionChangedAt: at(index),
        position: `a${index}`,
      }),
    );
    if (first === undefined || second === undefined) throw new Error("no cards");
    expect(positionAt("active", [first, second], 2, first)).toBe(first.position);
  });
});

describe("a step", () => {
  const columns = columnsOf({ backlog: 3, active: 0, done: 1 });

  test("up and down stays in the column and ends at its edges", () => {
    expect(neighbour(columns, { status: "backlog", index: 0 }, "down")).toEqual({
      status: "backlog",
      index: 1,
    });
    expect(neighbour(columns, { status: "backlog", index: 0 }, "up")).toBeUndefined();
    expect(neighbour(columns, { status: "backlog", index: 2 }, "down")).toBeUndefined();
  });

  test("sideways skips an empty column and finds the nearest row", () => {
    expect(neighbour(columns, { status: "backlog", index: 2 }, "right")).toEqual({
      status: "done",
      index: 0,
    });
    expect(neighbour(columns, { status: "backlog", index: 2 }, "left")).toBeUndefined();
  });

  test("with a card in the air also reaches empty columns, and never leaves the board", () => {
    expect(nextGap(columns, { status: "backlog", index: 2 }, "right")).toEqual({
      status: "active",
      index: 0,
    });
    expect(nextGap(columns, { status: "done", index: 1 }, "right")).toEqual({ status: "done", index: 1 });
    expect(nextGap(columns, { status: "done", index: 1 }, "down")).toEqual({ status: "done", index: 1 });
    expect(nextGap(columns, { status: "done", index: 0 }, "up")).toEqual({ status: "done", index: 0 });
  });
});

test("a card in the air is shown in the one place it would land", () => {
  const columns = columnsOf({ backlog: 2, active: 2, done: 0 });
  const [card] = columns.backlog;
  if (card === undefined) throw new Error("no card");
  const shown = withAt(columns, card, { status: "active", index: 1 });
  expect(ids(shown.active)).toEqual(["active0", "backlog0", "active1"]);
  expect(placeOf(shown, card.id)).toEqual({ status: "active", index: 1 });
  expect(ids(shown.backlog)).toEqual(["backlog1"]);
});

test("a new card's placeholder is followed by its own task, and a card that goes by the one in its place", () => {
  const columns = (...ids: string[]) => ({ backlog: ids.map((id) => task(id)), active: [], done: [] });
  const before = columns("new:2", "new:1", "old");
  expect(successor(before, columns("b", "x", "new:1", "old"), "new:2", "b")).toBe("b");
  expect(successor(before, before, "new:3", undefined)).toBe("new:3");
  expect(successor(before, columns("new:1", "old"), "new:2", undefined)).toBe("new:1");
  expect(successor(columns("a", "b"), columns("a"), "b", undefined)).toBe("a");
  expect(successor(columns("a"), columns(), "a", undefined)).toBeNull();
});
