import { useDroppable } from "@dnd-kit/core";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import type { TaskStatus } from "../../../contract.ts";
import type { Project, Task } from "../../shared/api/rows.ts";
import { focus } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { ErrorBoundary } from "../../shared/ui/error-boundary.tsx";
import { COLUMN_HINTS, COLUMN_NAMES } from "../../tasks/column-names.ts";
import { composing, dropPlace, openComposer } from "./board-state.ts";
import { Card } from "./card.tsx";
import { Composer } from "./composer.tsx";
import { GroupHeader } from "./group-header.tsx";
import { rowHeight, rowKey, toRows } from "./rows.ts";

interface ColumnProps {
  status: TaskStatus;
  tasks: Task[];
  projects: Project[];
  tabStopId: string | undefined;
  /** The card being dragged. It must stay mounted, or its touch events are lost. */
  draggedId: string | null;
  isFiltered: boolean;
}

const GAP = 6;
/** Room for the first card's focus ring and the drop line above it. */
const START = 6;

export function Column({ status, tasks, projects, tabStopId, draggedId, isFiltered }: ColumnProps) {
  const isComposing = useStore(composing, (line) => line?.status === status);
  const { setNodeRef, isOver } = useDroppable({ id: status });
  // State, not a ref: the list must render again once its scroller exists.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    <section
      aria-label={COLUMN_NAMES[status]}
      data-column={status}
      className="relative flex h-full min-w-0 shrink-0 snap-center flex-col narrow:w-full lg:min-w-60 lg:shrink"
    >
      <h2 className="sr-only lg:hidden">{COLUMN_NAMES[status]}</h2>
      <header className="flex h-11 shrink-0 items-center gap-2 pr-2 pl-5 narrow:hidden">
        <h2 className="text-sm font-medium">{COLUMN_NAMES[status]}</h2>
        <span className="text-sm text-faint tabular-nums">{tasks.length}</span>
        <IconButton
          label={`New task in ${COLUMN_NAMES[status]}`}
          className="ml-auto"
          onClick={() => openComposer(status)}
        >
          <Plus size={16} />
        </IconButton>
      </header>
      {isComposing && <Composer status={status} projects={projects} />}
      <div
        ref={useCallback(
          (node: HTMLElement | null) => {
            setScroller(node);
            setNodeRef(node);
          },
          [setNodeRef],
        )}
        data-scroller
        className={`min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-y-contain rounded-ui px-3 pb-24 transition-colors duration-100 ${isOver ? "bg-line/40" : ""}`}
      >
        <CardList
          status={status}
          tasks={tasks}
          projects={projects}
          tabStopId={tabStopId}
          draggedId={draggedId}
          scroller={scroller}
        />
        {tasks.length === 0 && !isComposing && <EmptyColumn status={status} isFiltered={isFiltered} />}
      </div>
    </section>
  );
}

interface CardListProps extends Omit<ColumnProps, "isFiltered"> {
  scroller: HTMLElement | null;
}

/** Only cards near the viewport are in the document, plus the one that is focused or being moved. */
function CardList({ status, tasks, projects, tabStopId, draggedId, scroller }: CardListProps) {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const rows = useMemo(() => toRows(status, tasks), [status, tasks]);
  const focusedId = useStore(focus, ({ id }) => id);
  const isWanted = useStore(focus, ({ wanted }) => wanted);
  const rowOf = (id: string | null) =>
    id === null ? -1 : rows.findIndex((row) => row.kind === "card" && row.task.id === id);
  const focusedRow = rowOf(focusedId);
  const kept = [focusedRow, rowOf(draggedId)].filter((index) => index !== -1);

  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    getItemKey: (index) => rowKey(rows[index]) ?? index,
    estimateSize: (index) => rowHeight(rows[index]),
    indexAttribute: "data-row",
    gap: GAP,
    paddingStart: START,
    scrollPaddingStart: START,
    scrollPaddingEnd: START,
    overscan: 6,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a card is to take the focus, not when cards around it change
  useEffect(() => {
    if (isWanted && focusedRow !== -1) list.scrollToIndex(focusedRow, { align: "auto" });
  }, [isWanted, focusedId]);

  return (
    <ul aria-label={`Tasks in ${status}`} className="relative" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map((item) => {
        const row = rows[item.index];
        const place = {
          ref: list.measureElement,
          "data-row": item.index,
          className: "absolute inset-x-0 top-0",
          style: { transform: `translateY(${item.start}px)` },
        };
        if (row?.kind === "group") {
          return (
            <li key={item.key} {...place}>
              <GroupHeader group={row.group} count={row.count} />
            </li>
          );
        }
        return (
          row && (
            <li
              key={item.key}
              {...place}
              data-index={row.index}
              aria-setsize={tasks.length}
              aria-posinset={row.index + 1}
            >
              <DropLine status={status} index={row.index} />
              <ErrorBoundary
                name={`“${row.task.title}”`}
                of={row.task.updatedAt}
                className="rounded-ui border border-line bg-card px-3 py-2.5"
              >
                <Card
                  task={row.task}
                  projectName={names.get(row.task.projectId) ?? ""}
                  isTabStop={row.task.id === tabStopId}
                />
              </ErrorBoundary>
            </li>
          )
        );
      })}
      <li
        aria-hidden
        className="absolute inset-x-0"
        style={{ top: list.getTotalSize() + (tasks.length > 0 ? GAP : 0) }}
      >
        <DropLine status={status} index={tasks.length} />
      </li>
    </ul>
  );
}

/** Marks the gap a dragged card would land in. */
function DropLine({ status, index }: { status: TaskStatus; index: number }): ReactNode {
  const isHere = useStore(dropPlace, (place) => place?.status === status && place.index === index);
  return (
    isHere && <span data-drop-line className="absolute inset-x-0 -top-1 block h-0.5 rounded-full bg-accent" />
  );
}

function EmptyColumn({ status, isFiltered }: { status: TaskStatus; isFiltered: boolean }) {
  return (
    <p className="rounded-ui border border-dashed border-line px-4 py-6 text-center text-sm text-muted">
      {isFiltered ? "No matches." : COLUMN_HINTS[status]}
    </p>
  );
}
