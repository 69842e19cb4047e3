import { expect, test } from "bun:test";
import { isUnseen, readSeen, type Seen, shortened, withSeen } from "../../../src/client/tasks/seen.ts";

type Entry = Parameters<typeof shortened>[1][number];

const entry = (id: number, taskId: string | null, action = "answer") =>
  ({ id, taskId, projectId: null, action }) as Entry;
const NEW = [
  entry(5, "b"),
  entry(4, null, "sign_in"),
  entry(3, "a"),
  entry(2, null, "agents_file"),
  entry(1, "a"),
];
const unseen = (seen: Seen) => NEW.filter((one) => isUnseen(seen, one)).map(({ id }) => id);
const NONE: Seen = { all: 0, places: {} };

test("what is seen of one card or kind says nothing of the others", () => {
  expect(unseen(NONE)).toEqual([5, 4, 3, 2, 1]);
  const card = withSeen(NONE, entry(3, "a"));
  expect(unseen(card)).toEqual([5, 4, 2]);
  expect(unseen(withSeen(card, entry(4, null, "sign_in")))).toEqual([5, 2]);
  expect(isUnseen(card, entry(6, "a"))).toBe(true);
  expect(isUnseen(null, entry(6, "a"))).toBe(false);
});

test("it is kept in few words, which say the same", () => {
  const card = shortened(withSeen(NONE, entry(3, "a")), NEW, () => true);
  expect(card).toEqual({ all: 1, places: { a: 3 } });
  expect(unseen(card)).toEqual([5, 4, 2]);
  const all = ["a", "b", "sign_in:", "agents_file:"].map((place) => [place, 5]);
  expect(shortened({ all: 0, places: Object.fromEntries(all) }, NEW, () => true)).toEqual({
    all: 5,
    places: {},
  });
  expect(shortened(NONE, NEW, () => false)).toEqual({ all: 5, places: {} });
  expect(shortened(NONE, [], () => true)).toEqual(NONE);
});

test("what is kept may be something else entirely", () => {
  expect(readSeen('{"all":3,"places":{"a":4}}')).toEqual({ all: 3, places: { a: 4 } });
  for (const text of [null, "null", "[]", "3", '{"all":"x","places":{}}', '{"all":1}'])
    expect(readSeen(text)).toBeNull();
});
