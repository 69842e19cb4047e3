import type { Task } from "../../shared/api/rows.ts";

export interface Command {
  id: string;
  title: string;
  group: "Board" | "Session" | "Task" | "Go to" | "View";
  /**
   * In the form of `KeyboardEvent.key`, with `mod+` for ⌘ or Ctrl; `g b` is one after the other. The first is shown.
   */
  keys?: string[];
  /** Works in text fields too. */
  isGlobal?: boolean;
  /** Of no use in the palette, such as moving the focus. */
  isKeyOnly?: boolean;
  /** Repeats while its key is held. Others run once. */
  isRepeated?: boolean;
  isAvailable?(): boolean;
  /** Other words by which the palette finds it. */
  words?: string;
  /** What it will do, if the title doesn't say it all. */
  hint?(): string | undefined;
  run(): void;
}

/** The task that task commands act on. */
export type OfTask = () => Task | undefined;

/** The parts of a command about something that may not exist. */
export const commandAbout = <T>(
  find: () => T | undefined,
  run: (found: T) => unknown,
  hint?: (found: T) => string | null,
) => ({
  isAvailable: () => find() !== undefined,
  hint() {
    const found = find();
    return (found !== undefined && hint?.(found)) || undefined;
  },
  run() {
    const found = find();
    if (found !== undefined) run(found);
  },
});
