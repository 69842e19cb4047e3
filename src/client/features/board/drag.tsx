import {
  DndContext,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useEffect, useState } from "react";
import { TASK_STATUSES, type TaskStatus } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { updateTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { dropPlace, shown } from "./board-state.ts";
import { CardGhost } from "./card.tsx";
import { type Place, placeOf, positionAt, taskIn, withinRank } from "./order.ts";

interface DragAreaProps {
  projectNames: Map<string, string>;
  children(draggedId: string | null): ReactNode;
}

/** Drag and drop with mouse or touch. The keyboard version needs no coordinates; see keyboard-drag.ts. */
export function DragArea({ projectNames, children }: DragAreaProps) {
  const [dragged, setDragged] = useState<Task | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  );
  useDropPlace(dragged);

  function drop(task: Task, place: Place | null) {
    if (place === null) return;
    const columns = shown.get();
    const at = placeOf(columns, task.id);
    const isSame = at?.status === place.status && (place.index === at.index || place.index === at.index + 1);
    if (isSame) return;
    const { status, index } = place;
    updateTask(task.id, { status, position: positionAt(status, columns[status], index, task) });
    announce(`${task.title} moved to ${COLUMN_NAMES[place.status]}.`);
  }

  function end() {
    dropPlace.set(null);
    setDragged(null);
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{ screenReaderInstructions: { draggable: "" }, announcements: SILENT }}
      onDragStart={({ active }) => setDragged(taskIn(shown.get(), String(active.id)) ?? null)}
      onDragEnd={() => {
        if (dragged) drop(dragged, dropPlace.get());
        end();
      }}
      onDragCancel={end}
    >
      {children(dragged?.id ?? null)}
      <DragOverlay dropAnimation={null}>
        {dragged && <CardGhost task={dragged} projectName={projectNames.get(dragged.projectId) ?? ""} />}
      </DragOverlay>
    </DndContext>
  );
}

/** The page announces moves itself, in terms of the board. */
const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** Follows the pointer during a drag, also while a column scrolls under it. */
function useDropPlace(dragged: Task | null) {
  useEffect(() => {
    if (dragged === null) return;
    let point: { x: number; y: number } | undefined;
    const look = () => point && dropPlace.set((current) => same(current, placeFor(dragged, point)));
    const onMouse = ({ clientX, clientY }: MouseEvent) => {
      point = { x: clientX, y: clientY };
      look();
    };
    const onTouch = ({ touches: [touch] }: TouchEvent) => {
      if (touch) point = { x: touch.clientX, y: touch.clientY };
      look();
    };
    // During a drag, Escape only cancels the drag.
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && event.preventDefault();
    window.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("mousemove", onMouse);
    window.addEventListener("touchmove", onTouch);
    window.addEventListener("scroll", look, { capture: true });
    return () => {
      window.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("mousemove", onMouse);
      window.removeEventListener("touchmove", onTouch);
      window.removeEventListener("scroll", look, { capture: true });
    };
  }, [dragged]);
}

const same = (current: Place | null, next: Place | null) =>
  current?.status === next?.status && current?.index === next?.index ? current : next;

const contains = (rect: DOMRect, x: number, y: number) =>
  x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;

function placeFor(task: Task, point: { x: number; y: number } | undefined): Place | null {
  const place = placeAt(point);
  return place && withinRank(shown.get(), place, task);
}

/** The gap under the pointer, found by measuring columns and cards. */
function placeAt(point: { x: number; y: number } | undefined): Place | null {
  if (point === undefined) return null;
  for (const status of TASK_STATUSES) {
    const tab = document.querySelector(`[data-column-tab="${status}"]`);
    if (tab && contains(tab.getBoundingClientRect(), point.x, point.y)) return { status, index: 0 };
    const column = document.querySelector(`[data-column="${status}"]`);
    if (column && contains(column.getBoundingClientRect(), point.x, point.y)) {
      return { status, index: gapIn(column, status, point.y) };
    }
  }
  return null;
}

function gapIn(column: Element, status: TaskStatus, y: number): number {
  for (const item of column.querySelectorAll<HTMLElement>("li[data-index]")) {
    const { top, height } = item.getBoundingClientRect();
    if (y < top + height / 2) return Number(item.dataset.index);
  }
  return shown.get()[status].length;
}
