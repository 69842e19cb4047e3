import { useEffect } from "react";
import { carry } from "../../features/board/keyboard-drag.ts";
import { isComposing } from "../../shared/ui/composing.ts";
import { dialog } from "../../shared/ui/open-dialog.ts";
import type { Command } from "./command.ts";
import { createCommands } from "./commands.ts";

const CHORD_MS = 1_000;

/** The one place that listens to keys for the whole page. */
export function useKeyboard() {
  useEffect(() => {
    const commands = createCommands();
    let first = "";
    let firstAt = 0;

    function onKeyDown(event: KeyboardEvent) {
      if (isComposing(event) || event.defaultPrevented || event.altKey || dialog.get() !== null) return;
      // Everything typed into a terminal is the program's.
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
      if (command.isAvailable?.() ?? true) command.run();
    }

    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

const find = (commands: Command[], key: string) => commands.find(({ keys }) => keys?.includes(key));

function nameOf({ key, code, metaKey, ctrlKey }: KeyboardEvent): string {
  // By its place, as in the terminal: on many keyboards this is a dead key.
  if (ctrlKey && !metaKey && code === "Backquote") return "Control+`";
  return metaKey || ctrlKey ? `mod+${key.toLowerCase()}` : key;
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

/** Enter and Space on what can be pressed belong to it. */
function isForControl({ target }: KeyboardEvent, key: string): boolean {
  return (
    (key === "Enter" || key === " ") &&
    target instanceof HTMLElement &&
    target.matches("button, a, summary, [role=tab]")
  );
}
