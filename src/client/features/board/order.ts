// The order of cards. Pure.

import { generateKeyBetween } from "fractional-indexing";
import { TASK_STATUSES, type TaskStatus } from "../../../contract.ts";
import type { Project, Task } from "../../shared/api/rows.ts";
import { displayStatus, GROUPS, since } from "../../tasks/display-status.ts";
import { isPlaceholder, isPlaceholderId } from "../../tasks/placeholder.ts";

export type Columns = Record<TaskStatus, Task[]>;

/** A gap between cards: before the card that is now at `index`. */
export interface Place {
  status: TaskStatus;
  index: number;
}

export interface Filter {
  projects: Project[];
  projectId: string | null;
  search: string;
}

/** Cards are sorted by rank: in Active by status group, and everywhere with pinned ones first. */
function rankOf(task: Task): number {
  const group = task.status === "active" ? GROUPS.indexOf(displayStatus(task).group) : 0;
  return group * 2 + (task.pinned ? 0 : 1);
}

/** Tasks that need a person are ordered by how long they have waited. */
const isQueue = (task: Task) => task.status === "active" && displayStatus(task).group === "needs";

/** By rank, then by position. Byte order, as the server sorts them. */
function compare(a: Task, b: Task): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (isQueue(a) && since(a) !== since(b)) return since(a) < since(b) ? -1 : 1;
  if (a.position !== b.position) return a.position < b.position ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

export function toColumns(tasks: readonly Task[], { projects, projectId, search }: Filter): Columns {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const needle = search.trim().toLocaleLowerCase();
  const columns: Columns = { backlog: [], active: [], done: [] };
  for (const task of tasks) {
    const projectName = names.get(task.projectId);
    if (projectName === undefined) continue; // its project was just deleted
    if (projectId !== null && task.projectId !== projectId) continue;
    const text = () => `${task.title}\n${task.description ?? ""}\n${projectName}`.toLocaleLowerCase();
    if (needle === "" || text().includes(needle)) columns[task.status].push(task);
  }
  for (const status of TASK_STATUSES) columns[status].sort(compare);
  return columns;
}

/** The position that puts `task` into the gap, or as near to it as its rank allows. */
export function positionAt(status: TaskStatus, column: readonly Task[], index: number, task: Task): string {
  const card = { ...task, status };
  if (isQueue(card)) return task.position;
  const rank = rankOf(card);
  const isNeighbour = (other: Task) =>
    other.id !== task.id && rankOf(other) === rank && !isPlaceholder(other);
  const before = column.slice(0, index).findLast(isNeighbour)?.position ?? null;
  // Two cards can share a position while a move is being sent.
  const isAfter = ({ position }: Task) => before === null || position > before;
  const after = column.slice(index).find((other) => isNeighbour(other) && isAfter(other))?.position ?? null;
  return generateKeyBetween(before, after);
}

/** The nearest gap that is within the card's own rank. */
export function withinRank(columns: Columns, { status, index }: Place, task: Task): Place {
  const rank = rankOf({ ...task, status });
  const column = columns[status];
  const start = column.filter((other) => rankOf(other) < rank).length;
  const end = start + column.filter((other) => rankOf(other) === rank).length;
  return { status, index: Math.max(start, Math.min(index, end)) };
}

export function placeOf(columns: Columns, id: string): Place | undefined {
  for (const status of TASK_STATUSES) {
    const index = columns[status].findIndex((task) => task.id === id);
    if (index !== -1) return { status, index };
  }
  return undefined;
}

export const taskAt = (columns: Columns, { status, index }: Place): Task | undefined =>
  columns[status][index];

export function taskIn(columns: Columns, id: string): Task | undefined {
  const place = placeOf(columns, id);
  return place && taskAt(columns, place);
}

export const firstTask = (columns: Columns) =>
  TASK_STATUSES.map((status) => columns[status][0]).find((task) => task !== undefined);

/**
 * Which card takes over when one is gone: for a placeholder the task that was made of it, otherwise the card that is
 * now in its place. A placeholder that is not on the board yet will be in a moment.
 */
export function successor(
  before: Columns,
  now: Columns,
  id: string,
  made: string | undefined,
): string | null {
  if (made !== undefined) return made;
  const from = placeOf(before, id);
  if (from === undefined && isPlaceholderId(id)) return id;
  const column = from && now[from.status];
  return column?.[Math.min(from?.index ?? 0, column.length - 1)]?.id ?? firstTask(now)?.id ?? null;
}

export type Direction = "up" | "down" | "left" | "right";

const COLUMN_STEP = { up: 0, down: 0, left: -1, right: 1 };
const ROW_STEP = { up: -1, down: 1, left: 0, right: 0 };

/** The card one step away. Sideways, it skips empty columns and keeps the row if it can. */
export function neighbour(columns: Columns, from: Place, direction: Direction): Place | undefined {
  const row = from.index + ROW_STEP[direction];
  if (COLUMN_STEP[direction] === 0) {
    return columns[from.status][row] && { status: from.status, index: row };
  }
  for (let at = TASK_STATUSES.indexOf(from.status) + COLUMN_STEP[direction]; ; at += COLUMN_STEP[direction]) {
    const status = TASK_STATUSES[at];
    if (status === undefined) return undefined;
    const length = columns[status].length;
    if (length > 0) return { status, index: Math.min(from.index, length - 1) };
  }
}

/** The gap one step away from a lifted card, empty columns included. `columns` don't have the lifted card. */
export function nextGap(columns: Columns, from: Place, direction: Direction): Place {
  const status = TASK_STATUSES[TASK_STATUSES.indexOf(from.status) + COLUMN_STEP[direction]] ?? from.status;
  const index = from.index + ROW_STEP[direction];
  return { status, index: Math.max(0, Math.min(index, columns[status].length)) };
}

export function without(columns: Columns, id: string): Columns {
  const rest = (tasks: Task[]) => tasks.filter((task) => task.id !== id);
  return { backlog: rest(columns.backlog), active: rest(columns.active), done: rest(columns.done) };
}

export function withAt(columns: Columns, task: Task, { status, index }: Place): Columns {
  const rest = without(columns, task.id);
  return { ...rest, [status]: rest[status].toSpliced(index, 0, { ...task, status }) };
}
