// Prompts and dialogs of a program of which a person has said what they look like.
import type { Pattern } from "./pattern.ts";
import { findWaiting, type PromptScreen } from "./prompt.ts";
import type { Waiting } from "./waiting.ts";

export interface PromptPatterns {
  /** A line of the screen, without the blanks at its end, when it waits for the next prompt. */
  prompt?: Pattern | undefined;
  /** A line of a dialog. */
  dialog?: Pattern | undefined;
}

/** Dialogs and input boxes stand at the end; above, anything may have been said. */
const LAST_ROWS = 25;

/** Whoever says what the one or the other looks like is believed in that, and nothing is guessed. */
export function findTold(screen: PromptScreen, { prompt, dialog }: PromptPatterns): Waiting | undefined {
  const rows = screen.text.trimEnd().split("\n").slice(-LAST_ROWS);
  const find = (pattern: Pattern | undefined) => pattern && rows.findLast(pattern)?.trim();
  const asked = find(dialog);
  if (asked !== undefined) return { kind: "question", text: asked, isCertain: true };
  const box = find(prompt);
  if (box !== undefined) return { kind: "box", text: box };
  const guess = findWaiting(screen, true);
  return (guess?.kind === "question" ? dialog : prompt) === undefined ? guess : undefined;
}
