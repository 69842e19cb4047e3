// What is on the board right now: the cards in their order, a card being moved, an open field to type in.

import type { TaskStatus } from "../../../contract.ts";
import { focus, focusTask, withdrawFocus } from "../../shared/stores/focus.ts";
import { search } from "../../shared/stores/search.ts";
import { createStore } from "../../shared/stores/store.ts";
import { type Columns, firstTask, neighbour, type Place, placeOf, taskAt } from "./order.ts";

/** The columns as they are shown, for commands that start from the keyboard. */
export const shown = createStore<Columns>({ backlog: [], active: [], done: [] });

/** A card carried by the keyboard, shown where it would land. */
export const lifted = createStore<{ id: string; place: Place } | null>(null);

/** Where a card carried by the pointer would land. */
export const dropPlace = createStore<Place | null>(null);

/** The column in which the field for a new task is open. A new object makes it take the keyboard. */
export const composing = createStore<{ status: TaskStatus } | null>(null);

/** What is typed in the field for a new task, in whichever column that is. */
export const newTitle = createStore("");

/** The card whose title is being edited in place. */
export const renaming = createStore<string | null>(null);

/** The column in view where there is room for one only. */
export const visibleColumn = createStore<TaskStatus>("backlog");

/** What `shown` was searched for: the board may be a moment behind what is typed. */
export const searched = createStore("");

export function openComposer(status: TaskStatus) {
  withdrawFocus();
  visibleColumn.set(status);
  composing.set({ status });
}

/** Gives the keyboard to this card, or to the first one in view, when a field that had it goes away. */
export function returnToBoard(id: string | null) {
  focusTask(id ?? firstTask(shown.get())?.id ?? null);
}

/** Gives the keyboard to the first card that matches, as soon as the board shows which do. */
export function goToFirstMatch() {
  const go = () => {
    if (searched.get() !== search.get()) return;
    stop();
    if (document.activeElement === document.body) returnToBoard(null);
  };
  const stop = searched.subscribe(go);
  go();
}

/** Gives the keyboard to the card beside the one that is about to go. */
export function focusNextTo(id: string) {
  const columns = shown.get();
  const place = placeOf(columns, id);
  const next = place && DIRECTIONS.map((direction) => neighbour(columns, place, direction)).find((at) => at);
  focusTask((next && taskAt(columns, next)?.id) ?? null);
}

const DIRECTIONS = ["down", "up", "left", "right"] as const;

/**
 * When the card the keys act on is gone, the one in its place takes over: its neighbour after a deletion,
 * its own row once the server has given a new task its id.
 */
export function keepFocus(before: Columns, now: Columns) {
  const { id } = focus.get();
  if (id === null || placeOf(now, id)) return;
  const from = placeOf(before, id);
  const column = from && now[from.status];
  const next = column?.[Math.min(from?.index ?? 0, column.length - 1)]?.id ?? firstTask(now)?.id;
  focus.set({ id: next ?? null, wanted: next !== undefined && document.activeElement === document.body });
}

/** A card carried by the keyboard may be deleted or filtered away in the meantime. */
export function putBackIfGone(columns: Columns) {
  const card = lifted.get();
  if (card !== null && placeOf(columns, card.id) === undefined) lifted.set(null);
}
