// Everything the page can do, in one list. Keyboard, palette and help all read it.

import { TASK_STATUSES } from "../../../contract.ts";
import { openComposer, renaming, shown, visibleColumn } from "../../features/board/board-state.ts";
import { lift } from "../../features/board/keyboard-drag.ts";
import { type Direction, firstTask, neighbour, placeOf, taskAt } from "../../features/board/order.ts";
import { signOut } from "../../shared/api/login.ts";
import type { Task } from "../../shared/api/rows.ts";
import { focus, focusTask } from "../../shared/stores/focus.ts";
import { search } from "../../shared/stores/search.ts";
import { setTheme, THEMES } from "../../shared/stores/theme.ts";
import { canUndo, undo } from "../../shared/stores/undo.ts";
import {
  closeTask,
  followTask,
  openTask,
  showPage,
  showProject,
  taskAddress,
  toggleFullScreen,
  view,
} from "../../shared/stores/view.ts";
import { copyText } from "../../shared/ui/copy-button.tsx";
import { closeDialog, openDialog } from "../../shared/ui/open-dialog.ts";
import { updateTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { deleteTask } from "../delete-task.ts";
import { answerCommands } from "./answer-commands.ts";
import { type Command, commandAbout, type OfTask } from "./command.ts";
import { currentTask } from "./current-task.ts";
import { sessionCommands } from "./session-commands.ts";
import { terminalCommands } from "./terminal-commands.ts";

const STEPS = [
  ["up", "Card above", "ArrowUp", "k"],
  ["down", "Card below", "ArrowDown", "j"],
  ["left", "Column to the left", "ArrowLeft", "h"],
  ["right", "Column to the right", "ArrowRight", "l"],
] as const;

/** Moves the focus to the card beside the current one. */
function step(direction: Direction) {
  if (view.get().page !== "board") return;
  const columns = shown.get();
  const id = focus.get().id;
  const from = id === null ? undefined : placeOf(columns, id);
  const to = from && neighbour(columns, from, direction);
  const task = from === undefined ? firstTask(columns) : to && taskAt(columns, to);
  if (task === undefined) return;
  visibleColumn.set(task.status);
  focusTask(task.id);
  if (view.get().taskId !== null) followTask(task.id);
}

function compose() {
  closeDialog();
  if (view.get().page !== "board") showPage("board");
  const id = focus.get().id;
  const focused = id === null ? undefined : placeOf(shown.get(), id)?.status;
  const status = window.matchMedia("(min-width: 1024px)").matches
    ? (focused ?? "backlog")
    : visibleColumn.get();
  openComposer(status);
}

export function createCommands(ofTask: OfTask = currentTask): Command[] {
  const withTask = (run: (task: Task) => void) => commandAbout(ofTask, run);

  return [
    { id: "new", title: "New task", group: "Board", keys: ["c"], run: compose },
    {
      id: "search",
      title: "Search tasks",
      group: "Board",
      keys: ["/"],
      run: () => document.querySelector<HTMLInputElement>("#search")?.focus(),
    },
    {
      id: "palette",
      title: "Command palette",
      group: "Board",
      keys: ["mod+k"],
      isGlobal: true,
      isKeyOnly: true,
      run: () => openDialog({ kind: "palette" }),
    },
    {
      id: "undo",
      title: "Undo",
      group: "Board",
      keys: ["mod+z"],
      isAvailable: canUndo,
      run: undo,
    },
    {
      id: "project",
      title: "Switch project…",
      group: "Board",
      keys: ["o"],
      run: () => openDialog({ kind: "projects" }),
    },
    {
      id: "add-project",
      title: "Add a project…",
      group: "Board",
      run: () => openDialog({ kind: "add-project" }),
    },

    ...STEPS.map(
      ([direction, title, ...keys]): Command => ({
        id: direction,
        title,
        group: "Go to",
        keys,
        isKeyOnly: true,
        isRepeated: true,
        run: () => step(direction),
      }),
    ),
    {
      id: "board",
      title: "Board",
      group: "Go to",
      keys: ["g b"],
      run() {
        showPage("board");
        showProject(null);
        search.set("");
      },
    },
    {
      id: "history",
      title: "History and trash",
      group: "Go to",
      keys: ["g h"],
      words: "deleted archived restore undelete worktrees",
      run: () => showPage("history"),
    },
    {
      id: "usage",
      title: "Usage and cost",
      group: "Go to",
      words: "spent money price dollars usd tokens",
      run: () => showPage("history"),
    },

    ...answerCommands(ofTask),
    ...terminalCommands(ofTask),
    ...sessionCommands(ofTask),

    { id: "open", title: "Open", group: "Task", keys: ["Enter"], ...withTask(({ id }) => openTask(id)) },
    {
      id: "rename",
      title: "Edit title",
      group: "Task",
      keys: ["e"],
      ...withTask(({ id }) => {
        const field = document.querySelector<HTMLElement>("#task-title");
        if (view.get().taskId === id && field) field.focus();
        else renaming.set(id);
      }),
    },
    {
      id: "move",
      title: "Move to…",
      group: "Task",
      keys: ["m"],
      ...withTask(({ id }) => openDialog({ kind: "move", taskId: id })),
    },
    {
      id: "lift",
      title: "Pick up and move with the arrow keys",
      group: "Task",
      keys: [" "],
      isKeyOnly: true,
      ...withTask(lift),
    },
    ...TASK_STATUSES.map(
      (status): Command => ({
        id: `move-${status}`,
        title: `Move to ${COLUMN_NAMES[status]}`,
        group: "Task",
        ...withTask((task) => task.status !== status && updateTask(task.id, { status })),
      }),
    ),
    {
      id: "pin",
      title: "Pin or unpin",
      group: "Task",
      keys: ["p"],
      ...withTask(({ id, pinned }) => updateTask(id, { pinned: !pinned })),
    },
    {
      id: "copy-link",
      title: "Copy link to the card",
      group: "Task",
      words: "url address share",
      ...withTask(({ id }) => void copyText(new URL(taskAddress(id), location.href).href)),
    },
    {
      id: "delete",
      title: "Delete",
      group: "Task",
      keys: ["Backspace", "Delete"],
      ...withTask(deleteTask),
    },

    {
      id: "full",
      title: "Toggle full screen",
      group: "View",
      keys: ["f"],
      isAvailable: () => view.get().taskId !== null,
      run: toggleFullScreen,
    },
    {
      id: "close",
      title: "Close",
      group: "View",
      keys: ["Escape"],
      isKeyOnly: true,
      run() {
        const { taskId } = view.get();
        if (taskId === null) return search.set("");
        closeTask();
        focusTask(taskId);
      },
    },
    ...THEMES.map(
      (name): Command => ({
        id: `theme-${name}`,
        title: `Theme: ${name}`,
        group: "View",
        words: "settings appearance colors colours mode",
        run: () => setTheme(name),
      }),
    ),
    {
      id: "keys",
      title: "Keyboard shortcuts",
      group: "View",
      words: "help keys hotkeys",
      keys: ["?"],
      run: () => openDialog({ kind: "keys" }),
    },
    {
      id: "notify",
      title: "Notifications and sound…",
      group: "View",
      words: "settings alerts bell mute",
      run: () => openDialog({ kind: "notify" }),
    },
    {
      id: "login-link",
      title: "Login link for another browser…",
      group: "View",
      words: "sign in phone device",
      run: () => openDialog({ kind: "login-link" }),
    },
    {
      id: "sign-out",
      title: "Sign out of this browser",
      group: "View",
      words: "log out logout",
      run: () => void signOut(),
    },
  ];
}
