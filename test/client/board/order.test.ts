import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { generateNKeysBetween } from "fractional-indexing";
import { placeholder } from "../../../src/client/api/placeholder.ts";
import type { Project } from "../../../src/client/api/projects.ts";
import type { Task } from "../../../src/client/api/tasks.ts";
import {
  type Columns,
  neighbour,
  nextGap,
  placeOf,
  positionAt,
  toColumns,
  withAt,
  without,
} from "../../../src/client/board/order.ts";
import { TASK_STATUSES, type TaskStatus } from "../../../src/contract.ts";

const NOW = "2026-01-01T00:00:00.000Z";

const task = (id: string, fields: Partial<Task> = {}): Task => ({
  ...placeholder({ projectId: "p", title: id, status: "backlog", at: Date.parse(NOW), key: id }),
  id,
  position: "a0",
  ...fields,
});

const project: Project = {
  id: "p",
  name: "Shop",
  path: "/shop",
  baseBranch: "main",
  setupCommand: null,
  worktreeInclude: null,
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
          const moved = { ...card, status, position: positionAt(rest, index, card) };
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
    const moved = { ...card, position: positionAt(column, 0, card) };
    expect(ids(show([...column, moved]).backlog).indexOf("card")).toBe(2);
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
