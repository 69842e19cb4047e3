import { useEffect } from "react";
import { view } from "../../shared/stores/view.ts";
import { dialog } from "../../shared/ui/open-dialog.ts";
import { currentTile, enterTile, openTile, shownTiles } from "./tiles.ts";

/** Digits and Enter enter a tile, arrows move between tiles. Inside a tile, all keys go to the program. */
export function useTileKeys(columns: number) {
  useEffect(() => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      h: -1,
      ArrowRight: 1,
      l: 1,
      ArrowUp: -columns,
      k: -columns,
      ArrowDown: columns,
      j: columns,
    };

    function onKeyDown(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey || dialog.get() !== null) return;
      if (view.get().taskId !== null || !(target instanceof Element) || target.matches(FIELDS)) return;
      if (act(key, target)) event.preventDefault();
    }

    function act(key: string, target: Element): boolean {
      const tiles = shownTiles.get();
      const at = tiles.findIndex((tile) => tile.key === currentTile.get());
      const numbered = /^[1-9]$/.test(key) ? tiles[Number(key) - 1] : undefined;
      const step = steps[key];
      const isOnControl = target.matches("button, a");
      if (numbered !== undefined) enterTile(numbered.key);
      else if (key === "Enter" && !isOnControl && at !== -1) enterTile();
      else if (key === "f" && tiles[at] !== undefined) openTile(tiles[at]);
      else if (step !== undefined && tiles.length > 0) {
        const next = at === -1 ? tiles[0] : tiles[at + step];
        if (next !== undefined) currentTile.set(next.key);
      } else return false;
      return true;
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [columns]);
}

const FIELDS = "input, textarea, select";
