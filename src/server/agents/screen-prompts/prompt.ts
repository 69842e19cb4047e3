// Whether any program is waiting for a person, judging only by its screen. A wrong "yes" calls somebody for nothing,
// and a wrong "no" is obvious from a look at the card. So a screen that isn't recognised counts as running.
import type { Screen } from "../../hosts/connection.ts";
import { asksOnLine } from "./prompt-line.ts";
import { asksOnScreen } from "./prompt-screen.ts";
import type { Waiting } from "./waiting.ts";

export type PromptScreen = Pick<Screen, "text" | "cols" | "cursor" | "alternate" | "title">;

/** Undefined while nothing waits, and when in doubt. */
export function findWaiting(screen: PromptScreen, quiet: boolean): Waiting | undefined {
  // Who waits has nothing more to say; and a line that is still being written can look like anything.
  if (!quiet) return undefined;
  const rows = screen.text.split("\n");
  return asksOnScreen(rows, screen) ?? asksOnLine(rows, screen);
}

export const findPrompt = (screen: PromptScreen, quiet: boolean) => findWaiting(screen, quiet)?.text;
