import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { TASK_STATUSES } from "../../../contract.ts";
import type { Project, Task } from "../../shared/api/rows.ts";
import { focus } from "../../shared/stores/focus.ts";
import { search } from "../../shared/stores/search.ts";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { keepFocus, lifted, putBackIfGone, searched, shown, visibleColumn } from "./board-state.ts";
import { Column } from "./column.tsx";
import { ColumnTabs } from "./column-tabs.tsx";
import { DragArea } from "./drag.tsx";
import { firstTask, placeOf, taskIn, toColumns, withAt } from "./order.ts";

interface BoardProps {
  tasks: readonly Task[];
  projects: Project[];
  /** Called with the ids of the cards in Active, in order. */
  onOrder(ids: readonly string[]): void;
}

export function Board({ tasks, projects, onOrder }: BoardProps) {
  const projectId = useStore(view, (current) => current.projectId);
  const text = useStore(search);
  const needle = useDeferredValue(text);
  const columns = useMemo(
    () => toColumns(tasks, { projects, projectId, search: needle }),
    [tasks, projects, projectId, needle],
  );
  // A layout effect, so that it runs before anyone can react to what they see.
  useLayoutEffect(() => {
    keepFocus(shown.get(), columns);
    shown.set(columns);
    searched.set(needle);
    onOrder(columns.active.map(({ id }) => id));
    putBackIfGone(columns);
  }, [columns, needle, onOrder]);

  const card = useStore(lifted);
  const carried = card && taskIn(columns, card.id);
  const visible = card && carried ? withAt(columns, carried, card.place) : columns;
  const focusedId = useStore(focus, ({ id }) => id);
  const tabStopId = focusedId !== null && placeOf(visible, focusedId) ? focusedId : firstTask(visible)?.id;
  const names = useMemo(() => new Map(projects.map(({ id, name }) => [id, name])), [projects]);
  const isFiltered = needle.trim() !== "";

  return (
    <main aria-label="Board" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 className="sr-only">Board</h1>
      <p id="board-help" hidden>
        Enter opens the card. Space picks it up, then arrow keys move it. Question mark shows all keys.
      </p>
      <DragArea projectNames={names}>
        {(draggedId) => (
          <>
            <ColumnTabs columns={visible} />
            <Strip>
              {TASK_STATUSES.map((status) => (
                <Column
                  key={status}
                  status={status}
                  tasks={visible[status]}
                  projects={projects}
                  tabStopId={tabStopId}
                  draggedId={draggedId}
                  isFiltered={isFiltered}
                />
              ))}
            </Strip>
          </>
        )}
      </DragArea>
    </main>
  );
}

const prefersStillness = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Columns side by side where there is room; otherwise one at a time, by swiping. */
function Strip({ children }: { children: React.ReactNode }) {
  const strip = useRef<HTMLDivElement>(null);
  const isOurs = useRef(false); // the page is scrolling, not the person
  const status = useStore(visibleColumn);

  useEffect(() => {
    const element = strip.current;
    if (element === null || element.scrollWidth <= element.clientWidth) return;
    const left = TASK_STATUSES.indexOf(status) * element.clientWidth;
    if (Math.abs(element.scrollLeft - left) < 2) return;
    isOurs.current = true;
    element.scrollTo({ left, behavior: prefersStillness.matches ? "instant" : "smooth" });
  }, [status]);

  function onScrollEnd() {
    const element = strip.current;
    if (element === null || element.scrollWidth <= element.clientWidth) return;
    if (isOurs.current) {
      isOurs.current = false;
      element.scrollTo({ left: TASK_STATUSES.indexOf(status) * element.clientWidth, behavior: "instant" });
    } else {
      visibleColumn.set(TASK_STATUSES[Math.round(element.scrollLeft / element.clientWidth)] ?? "backlog");
    }
  }

  return (
    <div
      ref={strip}
      onScrollEnd={onScrollEnd}
      // A person who scrolls before that has ended is not pulled back.
      onTouchStart={() => {
        isOurs.current = false;
      }}
      onWheel={() => {
        isOurs.current = false;
      }}
      className="flex min-h-0 flex-1 snap-x snap-mandatory overflow-x-auto overflow-y-hidden narrow:[scrollbar-width:none] lg:grid lg:snap-none lg:grid-cols-[1fr_1.25fr_1fr] lg:grid-rows-[minmax(0,1fr)] lg:px-2"
    >
      {children}
    </div>
  );
}
