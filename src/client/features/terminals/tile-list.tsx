import { ChevronRight, SquareTerminal } from "lucide-react";
import { enterTab, shellTab } from "../../shared/stores/tabs.ts";
import { openTask } from "../../shared/stores/view.ts";
import { Preview } from "../../tasks/preview.tsx";
import { StateMark } from "../../tasks/state-mark.tsx";
import type { Tile } from "./tiles.ts";

/** For windows in which several terminals would be too small to read: a few lines for each, and a tap opens it. */
export function TileList({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <ul
      aria-label="Live terminals"
      className="flex min-h-0 flex-1 flex-col gap-1.5 overflow-y-auto px-3 pb-6"
    >
      {tiles.map((tile) => (
        <li key={tile.key}>
          <button
            type="button"
            onClick={() => open(tile)}
            className="flex min-h-11 w-full items-center gap-3 rounded-ui border border-line bg-card px-3 py-2.5 text-left"
          >
            <span className="min-w-0 flex-1">
              <span className="line-clamp-2 font-medium break-words">{tile.title}</span>
              <span className="mt-1 flex items-center gap-1.5 text-xs text-faint">
                {tile.status ? (
                  <StateMark status={tile.status} />
                ) : (
                  <>
                    <SquareTerminal size={14} aria-hidden /> Shell
                  </>
                )}
              </span>
              {tile.shell === undefined && <Preview taskId={tile.task.id} sessionId={tile.task.sessionId} />}
            </span>
            <ChevronRight size={16} aria-hidden className="shrink-0 text-faint" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function open({ task, shell }: Tile) {
  openTask(task.id);
  enterTab(task.id, shell === undefined ? "terminal" : shellTab(shell.id));
}
