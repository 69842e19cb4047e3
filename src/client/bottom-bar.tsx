import { Command, Plus, SquareKanban } from "lucide-react";
import type { ReactNode } from "react";
import { composing, visibleColumn } from "./board/board-state.ts";
import { openDialog } from "./commands/dialogs.ts";
import { closeTask } from "./state/view.ts";

/** Within reach of a thumb. */
export function BottomBar() {
  return (
    <nav
      aria-label="Main"
      className="flex shrink-0 border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <Item label="Board" icon={<SquareKanban size={20} />} onClick={closeTask} />
      <Item label="New task" icon={<Plus size={20} />} onClick={() => composing.set(visibleColumn.get())} />
      <Item label="More" icon={<Command size={20} />} onClick={() => openDialog({ kind: "palette" })} />
    </nav>
  );
}

function Item({ label, icon, onClick }: { label: string; icon: ReactNode; onClick(): void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted"
    >
      {icon}
      {label}
    </button>
  );
}
