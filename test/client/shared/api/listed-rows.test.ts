import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { type ListedRow, withKnownColumn, withRow } from "../../../../src/client/shared/api/listed-rows.ts";

const row = (id: string, fields: Partial<ListedRow> = {}): ListedRow => ({
  id,
  updatedAt: "2026-11-17T12:00:00.000Z",
  deletedAt: null,
  ...fields,
});
const changed = row("b", { updatedAt: "2026-11-17T12:00:01.000Z" });
const ids = (rows: ListedRow[]) => rows.map(({ id }) => id);

test("a change to one row leaves every other row of a list the object it was, so that nothing else is drawn anew", () => {
  const client = new QueryClient();
  client.setQueryData(
    ["rows"],
    ["a", "b", "c", "d"].map((id) => row(id)),
  );
  const before = client.getQueryData<ListedRow[]>(["rows"]);
  client.setQueryData<ListedRow[]>(["rows"], (rows) => rows && withRow(rows, changed));
  const after = client.getQueryData<ListedRow[]>(["rows"]);
  expect(after?.map((each, index) => each === before?.[index])).toEqual([true, false, true, true]);
  expect(after?.[1]).toEqual(changed);
});

test("a row that is new comes last, and one that was deleted goes", () => {
  const rows = [row("a"), row("c")];
  expect(ids(withRow(rows, changed))).toEqual(["a", "c", "b"]);
  expect(ids(withRow(rows, row("a", { deletedAt: changed.updatedAt })))).toEqual(["c"]);
  expect(ids(withRow(rows, row("gone", { deletedAt: changed.updatedAt })))).toEqual(["a", "c"]);
});

test("a card in a column that the page does not know stands in Active; rows without a column are left alone", () => {
  expect(withKnownColumn({ ...row("a"), status: "review" })).toEqual({ ...row("a"), status: "active" });
  const done = { ...row("a"), status: "done" };
  expect(withKnownColumn(done)).toBe(done);
  expect(withKnownColumn(changed)).toBe(changed);
});
