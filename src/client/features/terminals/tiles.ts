// Which terminals are shown, which one is current, and which one is being typed into.

import type { Task } from "../../shared/api/rows.ts";
import { createStore } from "../../shared/stores/store.ts";
import { enterTab, shellTab } from "../../shared/stores/tabs.ts";
import { openFullScreen } from "../../shared/stores/view.ts";
import { type DisplayStatus, displayStatus, isLive } from "../../tasks/display-status.ts";
import type { LiveShell } from "../../tasks/shells.ts";

export interface Tile {
  /** Different for every session, so that a new session gets a new terminal. */
  key: string;
  task: Task;
  shell?: LiveShell;
  title: string;
  /** null for a shell, which is either running or has ended. */
  status: DisplayStatus | null;
  hasEnded: boolean;
  startedAt: string;
}

export const shownTiles = createStore<readonly Tile[]>([]);

/** The tile that keys act on. */
export const currentTile = createStore<string | null>(null);

/** The tile that is being typed into; never more than one. */
export const typedTile = createStore<string | null>(null);

/**
 * The oldest first, so that tiles stay in place when a new one comes. Shells follow their agent. The terminal being typed
 * into stays when its program ends, so that its last output can be read; an ended shell is found in `before`.
 */
export function toTiles(
  tasks: readonly Task[],
  shells: readonly LiveShell[],
  typed: string | null,
  before: readonly Tile[] = [],
): Tile[] {
  const keyOf = ({ id, sessionId }: Task) => `${id}:${sessionId}`;
  const agents = tasks
    .filter((task) => isLive(task) || keyOf(task) === typed)
    .map(
      (task): Tile => ({
        key: keyOf(task),
        task,
        title: task.title,
        status: displayStatus(task),
        hasEnded: !isLive(task),
        startedAt: task.sessionStartedAt ?? task.updatedAt,
      }),
    );
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const live = new Set(shells.map(({ id }) => id));
  const ended = before.flatMap(({ key, shell }) => (key === typed && shell && !live.has(key) ? [shell] : []));
  const extra = [...shells, ...ended].flatMap((shell): Tile[] => {
    const task = byId.get(shell.taskId);
    if (task === undefined) return [];
    const { id, name, startedAt } = shell;
    const title = `${name} · ${task.title}`;
    return [{ key: id, task, shell, title, status: null, hasEnded: !live.has(id), startedAt }];
  });
  const began = new Map(agents.map(({ task, startedAt }) => [task.id, startedAt]));
  const order = ({ task, shell, startedAt }: Tile) =>
    [began.get(task.id) ?? startedAt, task.id, shell ? startedAt : ""].join("\n");
  return [...agents, ...extra].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Enters the named tile, or the current one. */
export function enterTile(named = currentTile.get()) {
  const tiles = shownTiles.get();
  const { key = null } = tiles.find((tile) => tile.key === named) ?? tiles[0] ?? {};
  currentTile.set(key);
  typedTile.set(key);
}

/** Opens the tile's terminal full screen. */
export function openTile({ task, shell }: Tile) {
  openFullScreen(task.id);
  enterTab(task.id, shell === undefined ? "terminal" : shellTab(shell.id));
}
