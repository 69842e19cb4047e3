// What is on the board right now: the cards in order, a card being moved, an open text field.

import type { TaskStatus } from "../../../contract.ts";
import { focus, focusTask, withdrawFocus } from "../../shared/stores/focus.ts";
import { search } from "../../shared/stores/search.ts";
import { createStore } from "../../shared/stores/store.ts";
import { createdFrom } from "../../tasks/creations.ts";
import { type Columns, firstTask, neighbour, type Place, placeOf, successor, taskAt } from "./order.ts";

/** The columns as shown, for keyboard commands. */
export const shown = createStore<Columns>({ backlog: [], active: [], done: [] });

/** A card that is being moved with the keyboard, and where it would land. */
export const lifted = createStore<{ id: string; place: Place } | null>(null);

/** Where a card that is being dragged would land. */
export const dropPlace = createStore<Place | null>(null);

/** The column whose field for a new task is open. Setting a new object makes the field take the focus. */
export const composing = createStore<{ status: TaskStatus } | null>(null);

/** The text in the field for a new task, in whichever column it is open. */
export const newTitle = createStore("");

/** The card whose title is being edited in place. */
export const renaming = createStore<string | null>(null);

/** The column that a narrow window shows. */
export const visibleColumn = createStore<TaskStatus>("active");

/** The search that `shown` is for: the board may lag behind typing. */
export const searched = createStore("");

export function openComposer(status: TaskStatus) {
  withdrawFocus();
  visibleColumn.set(status);
  composing.set({ status });
}

/** Moves the focus to this card, or to the first one shown, when the field that had it closes. */
export function returnToBoard(id: string | null) {
  focusTask(id ?? firstTask(shown.get())?.id ?? null);
}

/** Moves the focus to the first card that matches, as soon as the board shows the matches. */
export function goToFirstMatch() {
  const go = () => {
    if (searched.get() !== search.get()) return;
    stop();
    if (document.activeElement === document.body) returnToBoard(null);
  };
  const stop = searched.subscribe(go);
  go();
}

/** Moves the focus to the card beside the one that is about to go away. */
export function focusNextTo(id: string) {
  const columns = shown.get();
  const place = placeOf(columns, id);
  const next = place && DIRECTIONS.map((direction) => neighbour(columns, place, direction)).find((at) => at);
  focusTask((next && taskAt(columns, next)?.id) ?? null);
}

const DIRECTIONS = ["down", "up", "left", "right"] as const;

/** When the focused card is gone, another one takes over. */
export function keepFocus(before: Columns, now: Columns) {
  const { id, wanted } = focus.get();
  if (id === null || placeOf(now, id)) return;
  const next = successor(before, now, id, createdFrom(id));
  if (next === id) return;
  focus.set({ id: next, wanted: next !== null && (wanted || document.activeElement === document.body) });
}

/** Cancels a keyboard move if its card has been deleted or filtered out. */
export function putBackIfGone(columns: Columns) {
  const card = lifted.get();
  if (card !== null && placeOf(columns, card.id) === undefined) lifted.set(null);
}
