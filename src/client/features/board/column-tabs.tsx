import { useDroppable } from "@dnd-kit/core";
import { TASK_STATUSES, type TaskStatus } from "../../../contract.ts";
import { useStore } from "../../shared/stores/store.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { visibleColumn } from "./board-state.ts";
import type { Columns } from "./order.ts";

/** Chooses the visible column on a narrow screen. Cards can be dropped on the names. */
export function ColumnTabs({ columns }: { columns: Columns }) {
  return (
    <div
      role="tablist"
      aria-label="Columns"
      className="mx-3 mb-2 flex shrink-0 rounded-ui border border-line bg-raised p-0.5 lg:hidden"
    >
      {TASK_STATUSES.map((status) => (
        <Tab key={status} status={status} count={columns[status].length} />
      ))}
    </div>
  );
}

function Tab({ status, count }: { status: TaskStatus; count: number }) {
  const isVisible = useStore(visibleColumn, (column) => column === status);
  const { setNodeRef, isOver } = useDroppable({ id: `tab:${status}` });
  return (
    <button
      ref={setNodeRef}
      type="button"
      role="tab"
      aria-selected={isVisible}
      data-column-tab={status}
      data-over={isOver || undefined}
      onClick={() => visibleColumn.set(status)}
      className={`flex h-10 flex-1 touch:h-11 items-center justify-center gap-1.5 rounded-md text-sm font-medium transition-colors duration-100 ${
        isVisible ? "bg-line text-text" : "text-muted"
      } ${isOver ? "ring-2 ring-accent" : ""}`}
    >
      {COLUMN_NAMES[status]}
      <span className="text-faint tabular-nums">{count}</span>
    </button>
  );
}
