// Does a program wait for a person? Told from the screen alone, for any program. A wrong "yes" calls
// somebody for nothing and a wrong "no" is put right by a look at the card, so what is not recognised
// counts as running.
import type { Screen } from "../../../host/mirror/terminal.ts";
import { asksOnLine } from "./prompt-line.ts";
import { asksOnScreen } from "./prompt-screen.ts";

export type PromptScreen = Pick<Screen, "text" | "cols" | "cursor" | "alternate" | "title">;

export interface Waiting {
  /** Asks something; has an input box for whatever comes next; or is a shell or the like at its prompt. */
  kind: "question" | "box" | "prompt";
  /** The line that asks, as it stands on the screen. */
  text: string;
}

/** Undefined while nothing waits, and when in doubt. */
export function findWaiting(screen: PromptScreen, quiet: boolean): Waiting | undefined {
  // Who waits has nothing more to say; and a line that is still being written can look like anything.
  if (!quiet) return undefined;
  const rows = screen.text.split("\n");
  return asksOnScreen(rows, screen) ?? asksOnLine(rows, screen);
}

export const findPrompt = (screen: PromptScreen, quiet: boolean) => findWaiting(screen, quiet)?.text;
