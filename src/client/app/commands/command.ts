import type { Task } from "../../shared/api/rows.ts";

export interface Command {
  id: string;
  title: string;
  group: "Board" | "Session" | "Task" | "Go to" | "View";
  /** As `KeyboardEvent.key`, with `mod+` for ⌘ or Ctrl; `g b` is one after the other. The first one is shown. */
  keys?: string[];
  /** Works while a text field has the focus too. */
  isGlobal?: boolean;
  /** Moves about; no use in the palette. */
  isKeyOnly?: boolean;
  /** Goes on while its key is held; all else happens once. */
  isRepeated?: boolean;
  isAvailable?(): boolean;
  /** What it will do, where that is not plain. */
  hint?(): string | undefined;
  run(): void;
}

/** The task that the commands for one task are about. */
export type OfTask = () => Task | undefined;

/** A command about something that is not always there. */
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
