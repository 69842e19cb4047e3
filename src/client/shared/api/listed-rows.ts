// A list as the server sent it, with the newer rows that events have brought since.

import { TASK_STATUSES } from "../../../contract.ts";

export interface ListedRow {
  id: string;
  updatedAt: string;
  deletedAt: string | null;
}

/** Keeps the row's index: the query client compares lists by index, and a row that moves counts as new. */
export function withRow<Row extends ListedRow>(rows: Row[], row: Row): Row[] {
  if (row.deletedAt !== null) return rows.filter(({ id }) => id !== row.id);
  const index = rows.findIndex(({ id }) => id === row.id);
  return index === -1 ? [...rows, row] : rows.with(index, row);
}

/** A card in a column that this page doesn't know is shown in Active. */
export function withKnownColumn<Row extends object>(row: Row): Row {
  const isKnown = !("status" in row) || TASK_STATUSES.some((status) => status === row.status);
  return isKnown ? row : { ...row, status: "active" };
}

export function withNewer<Row extends ListedRow>(rows: Row[], row: Row): Row[] {
  const listed = rows.find(({ id }) => id === row.id);
  return listed !== undefined && listed.updatedAt > row.updatedAt ? rows : withRow(rows, row);
}
