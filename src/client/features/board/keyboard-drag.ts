// Drag and drop by keyboard: Space lifts the card, arrows carry it, Space or Enter puts it down, Escape puts it back.

import type { Task } from "../../shared/api/rows.ts";
import { focusTask } from "../../shared/stores/focus.ts";
import { view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { lifted, shown, visibleColumn } from "./board-state.ts";
import { nextGap, type Place, placeOf, positionAt, taskAt, withinRank, without } from "./order.ts";

const describe = ({ status, index }: Place, length: number) =>
  `${COLUMN_NAMES[status]}, position ${index + 1} of ${length}`;

export function lift(task: Task) {
  const place = placeOf(shown.get(), task.id);
  if (place === undefined) return;
  lifted.set({ id: task.id, place });
  announce(
    `Lifted ${task.title}. ${describe(place, shown.get()[place.status].length)}. Arrow keys move it, Space puts it down, Escape puts it back.`,
  );
}

/** True when a card was in the air and the key was for it. */
export function carry(
  event: KeyboardEvent,
  put: (id: string, place: Place, position: string) => void,
): boolean {
  const card = lifted.get();
  if (card === null || event.ctrlKey || event.metaKey) return false; // a chord, such as the palette's or a reload
  const direction = ARROWS[event.key];
  if (direction !== undefined) move(card, direction);
  else if (event.key === " " || event.key === "Enter") {
    if (!event.repeat) putDown(card, put); // not by the Space that lifted it
  } else if (event.key === "Escape" || event.key === "Tab") {
    putBack();
    focusTask(card.id);
  }
  return true;
}

const ARROWS: Record<string, "up" | "down" | "left" | "right"> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  k: "up",
  j: "down",
  h: "left",
  l: "right",
};

function move(card: { id: string; place: Place }, direction: "up" | "down" | "left" | "right") {
  const task = taskById(card.id);
  if (task === undefined) return;
  const rest = without(shown.get(), card.id);
  const place = withinRank(rest, nextGap(rest, card.place, direction), task);
  lifted.set({ id: card.id, place });
  visibleColumn.set(place.status);
  focusTask(card.id);
  announce(describe(place, rest[place.status].length + 1));
}

function putDown(
  card: { id: string; place: Place },
  put: (id: string, place: Place, position: string) => void,
) {
  const task = taskById(card.id);
  lifted.set(null);
  focusTask(card.id);
  if (task === undefined) return;
  const rest = without(shown.get(), card.id);
  const { status, index } = card.place;
  put(card.id, card.place, positionAt(status, rest[status], index, task));
  announce(`${task.title} put down in ${describe(card.place, rest[card.place.status].length + 1)}.`);
}

function taskById(id: string): Task | undefined {
  const columns = shown.get();
  const place = placeOf(columns, id);
  return place && taskAt(columns, place);
}

function putBack() {
  if (lifted.get() === null) return;
  lifted.set(null);
  announce("Put back.");
}

// Whoever goes on with something else has the keys for that.
window.addEventListener("pointerdown", putBack);
view.subscribe(putBack);
