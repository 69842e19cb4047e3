// Drag and drop by keyboard: Space lifts the card, arrows carry it, Space or Enter puts it down, Escape puts it back.

import type { Task } from "../../shared/api/rows.ts";
import { focusTask } from "../../shared/stores/focus.ts";
import { view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { updateTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { lifted, shown, visibleColumn } from "./board-state.ts";
import {
  type Direction,
  nextGap,
  type Place,
  placeOf,
  positionAt,
  taskIn,
  withinRank,
  without,
} from "./order.ts";

interface Lifted {
  id: string;
  place: Place;
}

const describe = ({ status, index }: Place, length: number) =>
  `${COLUMN_NAMES[status]}, position ${index + 1} of ${length}`;

export function lift(task: Task) {
  const place = placeOf(shown.get(), task.id);
  if (place === undefined) return;
  lifted.set({ id: task.id, place });
  announce(
    `Picked up ${task.title}. ${describe(place, shown.get()[place.status].length)}. Arrow keys move it, Space drops it, Escape cancels.`,
  );
}

/** Moves the lifted card or puts it down. False if no card is lifted, or the key is for something else. */
export function carry(event: KeyboardEvent): boolean {
  const card = lifted.get();
  if (card === null || event.ctrlKey || event.metaKey) return false; // a chord, such as the palette's or a reload
  const direction = ARROWS[event.key];
  if (direction !== undefined) move(card, direction);
  else if (event.key === " " || event.key === "Enter") {
    if (!event.repeat) putDown(card); // the Space that lifted it may still be held
  } else if (event.key === "Escape" || event.key === "Tab") {
    putBack();
    focusTask(card.id);
  }
  return true;
}

const ARROWS: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  k: "up",
  j: "down",
  h: "left",
  l: "right",
};

function move({ id, place: from }: Lifted, direction: Direction) {
  const task = taskIn(shown.get(), id);
  if (task === undefined) return;
  const rest = without(shown.get(), id);
  const place = withinRank(rest, nextGap(rest, from, direction), task);
  lifted.set({ id, place });
  visibleColumn.set(place.status);
  focusTask(id);
  announce(describe(place, rest[place.status].length + 1));
}

function putDown({ id, place }: Lifted) {
  const task = taskIn(shown.get(), id);
  lifted.set(null);
  focusTask(id);
  if (task === undefined) return;
  const { status, index } = place;
  const column = without(shown.get(), id)[status];
  updateTask(id, { status, position: positionAt(status, column, index, task) });
  announce(`${task.title} put down in ${describe(place, column.length + 1)}.`);
}

function putBack() {
  if (lifted.get() === null) return;
  lifted.set(null);
  announce("Put back.");
}

// A click or a change of page cancels it: the keys act on something else now.
window.addEventListener("pointerdown", putBack);
view.subscribe(putBack);
