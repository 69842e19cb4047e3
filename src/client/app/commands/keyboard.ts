import { useEffect } from "react";
import { shown } from "../../features/board/board-state.ts";
import { carry } from "../../features/board/keyboard-drag.ts";
import { focus } from "../../shared/stores/focus.ts";
import { keysFor } from "../../shared/stores/keys-for.ts";
import { view } from "../../shared/stores/view.ts";
import { isComposing } from "../../shared/ui/composing.ts";
import { dialog } from "../../shared/ui/open-dialog.ts";
import { whenCreated } from "../../tasks/creations.ts";
import { isPlaceholderId } from "../../tasks/placeholder.ts";
import type { Command } from "./command.ts";
import { createCommands } from "./commands.ts";
import { currentCard, taskToActOn } from "./current-task.ts";

const CHORD_MS = 1_000;

/** The one place that listens to keys for the whole page. */
export function useKeyboard() {
  useEffect(() => {
    const commands = createCommands();
    let first = "";
    let firstAt = 0;

    function onKeyDown(event: KeyboardEvent) {
      if (isComposing(event) || event.defaultPrevented || event.altKey || dialog.get() !== null) return;
      // Everything typed into a terminal goes to its program.
      if (event.target instanceof Element && event.target.closest("[data-terminal] textarea")) return;
      const isTyping = isTextField(event.target);
      if (!isTyping && carry(event)) {
        event.preventDefault();
        return;
      }
      const key = nameOf(event);
      const chord = event.timeStamp - firstAt < CHORD_MS ? `${first} ${key}` : key;
      const command = find(commands, chord) ?? find(commands, key);
      first = key;
      firstAt = event.timeStamp;
      if (command === undefined || (isTyping && !command.isGlobal) || isForControl(event, key)) return;
      event.preventDefault();
      if (event.repeat && !command.isRepeated) return;
      const card = currentCard();
      if (card !== null && isPlaceholderId(card) && isAboutTask(command)) void runOnceCreated(card, command);
      else if (command.isAvailable?.() ?? true) command.run();
    }

    window.addEventListener("keydown", onKeyDown);
    const unwatch = watchKeys();
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      unwatch();
    };
  }, []);
}

/** Keeps `keysFor` current, so that shortcuts are shown only where they work. */
function watchKeys(): () => void {
  const note = () => {
    const isElsewhere = dialog.get() !== null || isTextField(document.activeElement);
    keysFor.set(isElsewhere ? null : currentCard());
  };
  const soon = () => queueMicrotask(note); // once the focus has moved
  const stops = [focus, view, dialog, shown].map((store) => store.subscribe(soon));
  for (const kind of FOCUS_MOVES) document.addEventListener(kind, soon);
  note();
  return () => {
    for (const stop of stops) stop();
    for (const kind of FOCUS_MOVES) document.removeEventListener(kind, soon);
  };
}

const FOCUS_MOVES = ["focusin", "focusout"] as const;

const isAboutTask = ({ group }: Command) => group === "Task" || group === "Session";

/** Runs the command on the task that the placeholder becomes, and on no other. */
async function runOnceCreated(key: string, { id }: Command) {
  const task = await whenCreated(key);
  if (task === undefined) return;
  const command = createCommands(() => taskToActOn(task.id)).find((each) => each.id === id);
  if (command?.isAvailable?.() ?? true) command?.run();
}

const find = (commands: Command[], key: string) => commands.find(({ keys }) => keys?.includes(key));

function nameOf({ key, code, metaKey, ctrlKey }: KeyboardEvent): string {
  // By position, as in the terminal: on many keyboards this is a dead key.
  if (ctrlKey && !metaKey && code === "Backquote") return "Control+`";
  return metaKey || ctrlKey ? `mod+${key.toLowerCase()}` : key;
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

/** Enter and Space on a button or link press it. */
function isForControl({ target }: KeyboardEvent, key: string): boolean {
  return (
    (key === "Enter" || key === " ") &&
    target instanceof HTMLElement &&
    target.matches("button, a, summary, [role=tab]")
  );
}
