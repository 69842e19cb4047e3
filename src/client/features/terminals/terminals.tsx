import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Project, Task } from "../../shared/api/rows.ts";
import { search } from "../../shared/stores/search.ts";
import { useStore } from "../../shared/stores/store.ts";
import { showPage, view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorBoundary } from "../../shared/ui/error-boundary.tsx";
import { Kbd } from "../../shared/ui/kbd.tsx";
import { useLiveShells } from "../../tasks/shells.ts";
import { shapeOf, TILE_GAP } from "./shape.ts";
import { useTileKeys } from "./tile-keys.ts";
import { TileList } from "./tile-list.tsx";
import { TileView } from "./tile-view.tsx";
import { currentTile, shownTiles, type Tile, toTiles, typedTile } from "./tiles.ts";

const room = window.matchMedia("(min-width: 1024px)");

const watchRoom = (tell: () => void) => {
  room.addEventListener("change", tell);
  return () => room.removeEventListener("change", tell);
};

/** All live terminals at once, or a list of them in a narrow window. */
export function Terminals({ tasks, projects }: { tasks: readonly Task[]; projects: Project[] }) {
  const tiles = useTiles(tasks, projects);
  const hasRoom = useSyncExternalStore(watchRoom, () => room.matches);
  useEffect(() => {
    shownTiles.set(tiles);
    if (!tiles.some(({ key }) => key === typedTile.get())) typedTile.set(null);
  }, [tiles]);
  useEffect(() => () => typedTile.set(null), []);

  return (
    <main aria-label="Terminals" className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Terminals</h1>
      <p id="tiles-help" hidden>
        Enter or the tile's number types into it, Control and backquote leaves it, F opens it alone.
      </p>
      {tiles.length === 0 ? <Empty /> : hasRoom ? <Grid tiles={tiles} /> : <TileList tiles={tiles} />}
    </main>
  );
}

/** Tiles that match the chosen project and search, and always the one being typed into. */
function useTiles(tasks: readonly Task[], projects: Project[]): readonly Tile[] {
  const { data: shells } = useLiveShells();
  const projectId = useStore(view, (current) => current.projectId);
  const needle = useStore(search).trim().toLocaleLowerCase();
  const typed = useStore(typedTile);
  return useMemo(() => {
    const names = new Set(projects.map(({ id }) => id));
    return toTiles(tasks, shells ?? [], typed, shownTiles.get()).filter(({ key, task, title }) => {
      const isShown = projectId === null ? names.has(task.projectId) : task.projectId === projectId;
      return (isShown && title.toLocaleLowerCase().includes(needle)) || key === typed;
    });
  }, [tasks, projects, shells, projectId, needle, typed]);
}

function Grid({ tiles }: { tiles: readonly Tile[] }) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const scrolled = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const { columns, rowHeight } = shapeOf(size, tiles.length);
  const current = useStore(currentTile);
  const tabStop = tiles.find(({ key }) => key === current) ?? tiles[0];
  useTileKeys(columns);
  // Somebody who came here with the keyboard can go on with it.
  useEffect(() => {
    const isFree = document.activeElement === document.body;
    if (isFree && tabStop !== undefined && view.get().taskId === null) currentTile.set(tabStop.key);
  }, [tabStop]);

  // Tiles keep their size when toasts take some room. The line that is typed into stays in sight.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (typedTile.get() !== null) document.activeElement?.scrollIntoView({ block: "nearest" });
    });
    if (scrolled.current !== null) observer.observe(scrolled.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div ref={scrolled} className="min-h-0 flex-1 overflow-y-auto p-2">
      <ul
        ref={setBox}
        aria-label="Live terminals"
        className="grid"
        style={{
          height: "calc(100% + var(--toasts, 0px))",
          gap: TILE_GAP,
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridAutoRows: rowHeight,
        }}
      >
        {size.width > 0 &&
          tiles.map((tile, index) => (
            <li key={tile.key} className="min-h-0 min-w-0">
              <ErrorBoundary name={tile.title} of={tile.task.updatedAt} className="p-4">
                <TileView tile={tile} number={index + 1} isTabStop={tile === tabStop} />
              </ErrorBoundary>
            </li>
          ))}
      </ul>
    </div>
  );
}

function useSize(element: HTMLElement | null) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

function Empty() {
  const isOneProject = useStore(view, ({ projectId }) => projectId !== null);
  const isFiltered = useStore(search) !== "" || isOneProject;
  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-4 p-8 text-center">
      <h2 className="text-lg font-semibold">{isFiltered ? "No terminal matches" : "Nothing is running"}</h2>
      <p className="text-sm text-muted">
        All running agents and shells show here side by side, so you can see at a glance what each is doing.
        Start one on the board: choose a card and press <Kbd keys="s" />.
      </p>
      <p className="text-sm text-muted narrow:hidden">
        Then <Kbd keys="1" /> to <Kbd keys="9" /> go into a terminal and <Kbd keys="Control+`" /> comes back
        out.
      </p>
      <Button onClick={() => showPage("board")}>Go to the board</Button>
    </div>
  );
}
