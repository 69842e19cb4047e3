import { CircleAlert, Command, LayoutGrid, Plus, SquareKanban } from "lucide-react";
import type { ReactNode } from "react";
import { openComposer, visibleColumn } from "../features/board/board-state.ts";
import { showPage } from "../shared/stores/view.ts";
import { openDialog } from "../shared/ui/open-dialog.ts";
import { useNeedCount } from "../tasks/needs.ts";
import { goToNextNeed } from "./next-need.ts";

/** The navigation of narrow windows, within reach of a thumb. */
export function BottomBar() {
  const needs = useNeedCount();
  return (
    <nav
      aria-label="Main"
      className="flex shrink-0 border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <Item label="Board" icon={<SquareKanban size={20} />} onClick={() => showPage("board")} />
      <Item
        label={needs === 0 ? "Needs you" : `Needs you: ${needs}`}
        icon={<CircleAlert size={20} className={needs === 0 ? "" : "fill-needs stroke-raised"} />}
        isMarked={needs > 0}
        onClick={() => goToNextNeed({ isOpening: true })}
      />
      <Item
        label="New task"
        icon={<Plus size={20} />}
        onClick={() => {
          showPage("board");
          openComposer(visibleColumn.get());
        }}
      />
      <Item label="Terminals" icon={<LayoutGrid size={20} />} onClick={() => showPage("terminals")} />
      <Item label="More" icon={<Command size={20} />} onClick={() => openDialog({ kind: "palette" })} />
    </nav>
  );
}

interface ItemProps {
  label: string;
  icon: ReactNode;
  isMarked?: boolean;
  onClick(): void;
}

function Item({ label, icon, isMarked, onClick }: ItemProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs ${isMarked ? "font-medium text-needs" : "text-muted"}`}
    >
      {icon}
      {label}
    </button>
  );
}
