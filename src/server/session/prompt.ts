// Does a program wait for a person? Told from the screen alone, for any program. A wrong "yes" calls
// somebody for nothing and a wrong "no" is put right by a look at the card, so what is not recognised
// counts as running.
import type { Screen } from "../../host/mirror/terminal.ts";
import { asksOnLine } from "./prompt-line.ts";
import { asksOnScreen } from "./prompt-screen.ts";

export type PromptScreen = Pick<Screen, "text" | "cols" | "cursor" | "alternate" | "title">;

/** The line that asks, as it stands on the screen; undefined while nothing waits, and when in doubt. */
export function findPrompt(screen: PromptScreen, quiet: boolean): string | undefined {
  // Who waits has nothing more to say; and a line that is still being written can look like anything.
  if (!quiet) return undefined;
  const rows = screen.text.split("\n");
  return asksOnScreen(rows, screen) ?? asksOnLine(rows, screen);
}
