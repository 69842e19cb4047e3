import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyBetween } from "fractional-indexing";
import { LIMITS, type TaskStatus } from "../../../src/contract.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure, TestBoard } from "../../support/board.ts";
import { DEPTH } from "../../support/depth.ts";

let board: TestBoard;
beforeAll(async () => {
  board = await TestBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

async function clear(status: TaskStatus) {
  for (const { id } of await board.column(status)) await board.server.delete(`/api/tasks/${id}`);
}

const move = (id: string, status: TaskStatus, position: string) =>
  board.server.patch<TaskRow>(`/api/tasks/${id}`, { status, position });

test(`${DEPTH.cardsInOneSpot} cards go in at the same spot and no other card is touched`, async () => {
  await clear("active");
  const below = await board.addTask({ status: "active" });
  const above = await board.addTask({ status: "active" });
  const moving = await board.addTask();
  let lower = below.position;
  for (let count = 0; count < DEPTH.cardsInOneSpot; count += 1) {
    // The card that went in last is the lower bound of the next: the worst case for a key's length.
    const position = generateKeyBetween(above.position, lower);
    const answer = await move(moving.id, "active", position);
    expect({ status: answer.status, position: answer.body.position }).toEqual({ status: 200, position });
    lower = position;
  }
  expect((await board.column("active")).map(({ id }) => id)).toEqual([above.id, moving.id, below.id]);
  const neighbours = await Promise.all(
    [above, below].map(({ id }) => board.server.get<TaskRow>(`/api/tasks/${id}`)),
  );
  expect(neighbours.map(({ body }) => body)).toEqual([above, below]);
}, 60_000);

test("a card goes between any two of a column", async () => {
  await clear("active");
  const made: TaskRow[] = [];
  for (let count = 0; count < 10; count += 1) made.unshift(await board.addTask({ status: "active" }));
  for (let gap = 0; gap <= 20; gap += 2) {
    const position = generateKeyBetween(made[gap - 1]?.position ?? null, made[gap]?.position ?? null);
    made.splice(gap, 0, (await move((await board.addTask()).id, "active", position)).body);
    expect((await board.column("active")).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  }
});

test("fifty cards sent to the same place at once all find one of their own", async () => {
  await clear("done");
  const cards = await Promise.all(Array.from({ length: 50 }, () => board.addTask()));
  const answers = await Promise.all(cards.map(({ id }) => move(id, "done", "a1")));
  expect(answers.map(({ status }) => status)).toEqual(cards.map(() => 200));
  const positions = (await board.column("done")).map(({ position }) => position);
  expect(new Set(positions).size).toBe(50);
  expect(positions[0]).toBe("a1");
});

test("fifty cards created at once all find a place of their own", async () => {
  await clear("done");
  await Promise.all(Array.from({ length: 50 }, () => board.addTask({ status: "done" })));
  expect(new Set((await board.column("done")).map(({ position }) => position)).size).toBe(50);
});

test("a card dropped where another lies comes right after it", async () => {
  await clear("active");
  const [third, second, first] = [
    await board.addTask({ status: "active" }),
    await board.addTask({ status: "active" }),
    await board.addTask({ status: "active" }),
  ];
  const dropped = await board.addTask();
  await move(dropped.id, "active", second.position);
  const ids = (await board.column("active")).map(({ id }) => id);
  expect(ids).toEqual([first.id, second.id, dropped.id, third.id]);
});

test("a card dropped where it lies stays there", async () => {
  const card = await board.addTask({ status: "active" });
  expect((await move(card.id, "active", card.position)).body.position).toBe(card.position);
});

describe("a position that is none is refused:", () => {
  test.each([
    ["empty", ""],
    ["a bare head", "a"],
    ["a trailing zero", "a00"],
    ["an unknown head", "!0"],
    ["a digit outside the alphabet", "a0é"],
    ["a space", "a0 1"],
    ["NUL", "a0\0"],
    ["half a surrogate pair", "a0\ud800"],
    ["the lowest there is, which nothing can go above", `A${"0".repeat(26)}`],
    ["the one before that, which one card could go above", `A${"0".repeat(25)}1`],
    ["over-long", `a0${"1".repeat(LIMITS.position - 1)}`],
  ])("%s", async (_, position) => {
    const card = await board.addTask();
    expectFailure(await board.server.patch(`/api/tasks/${card.id}`, { position }), "invalid", /^position: /);
  });

  test("a number", async () => {
    const card = await board.addTask();
    const answer = await board.server.patch(`/api/tasks/${card.id}`, { position: 3 });
    expectFailure(answer, "invalid", /^position: must be string/);
  });
});

test("cards still go above and below the outermost positions there are", async () => {
  await clear("done");
  const lowest = `B${"0".repeat(25)}`;
  const highest = `z${"z".repeat(26)}`;
  const [top, bottom] = [await board.addTask({ status: "done" }), await board.addTask({ status: "done" })];
  await move(top.id, "done", lowest);
  await move(bottom.id, "done", highest);
  const above = [];
  for (let count = 0; count < 5; count += 1) above.unshift((await board.addTask({ status: "done" })).id);
  const below = await board.addTask();
  await move(below.id, "done", highest);
  const ids = (await board.column("done")).map(({ id }) => id);
  expect(ids).toEqual([...above, top.id, bottom.id, below.id]);
});
