import { SquareTerminal, TriangleAlert, X } from "lucide-react";
import type { ComponentProps } from "react";
import type { Shell } from "../../shared/api/rows.ts";
import { enterTab, shellTab } from "../../shared/stores/tabs.ts";
import { askToClose } from "./shell-actions.ts";

export const tabLook = (isCurrent: boolean) =>
  `group flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-2 text-sm font-medium touch:h-11 touch:min-w-14 touch:justify-center ${
    isCurrent ? "border-accent text-text" : "border-transparent text-muted hover:text-text"
  }`;

interface ShellTabProps {
  shell: Shell;
  look: ComponentProps<"button">;
  isCarried: boolean;
  onCarry(event: React.PointerEvent<HTMLElement>, id: string): void;
  onRename(): void;
}

/** A double click renames it, and dragging moves it. The menu beside the tabs does the same without a mouse. */
export function ShellTab({ shell, look, isCarried, onCarry, onRename }: ShellTabProps) {
  const { id, taskId, name, title, exit, trouble } = shell;
  return (
    <button
      type="button"
      role="tab"
      {...look}
      data-shell={id}
      aria-description="F2 renames, Shift with arrow keys moves, Delete closes."
      title={[name, exit === null ? (trouble ?? title) : "has ended"].filter(Boolean).join(": ")}
      onPointerDown={(event) => onCarry(event, id)}
      onClick={() => enterTab(taskId, shellTab(id))}
      onDoubleClick={onRename}
      className={`${look.className} ${isCarried ? "opacity-60" : ""}`}
    >
      {trouble === null || exit !== null ? (
        <SquareTerminal size={14} aria-hidden className="text-faint touch:hidden" />
      ) : (
        <TriangleAlert size={14} role="img" aria-label="Not answering" className="text-needs" />
      )}
      <span className={`max-w-36 truncate ${exit === null ? "" : "line-through decoration-faint"}`}>
        {name}
      </span>
      {exit !== null && <span className="sr-only">, ended</span>}
      {/* For the mouse only; the keyboard has Delete. */}
      <span
        aria-hidden
        data-close
        title={`Close ${name}…`}
        onPointerDown={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          askToClose(shell);
        }}
        className={`-mr-1 size-4 items-center justify-center rounded hover:bg-line-strong touch:hidden ${
          look["aria-selected"] ? "flex" : "hidden"
        }`}
      >
        <X size={12} />
      </span>
    </button>
  );
}
