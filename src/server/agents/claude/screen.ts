// What Claude Code's screen and title say when hooks can't: before it has started, and after an interrupt.
import type { Screen } from "../../hosts/connection.ts";
import type { PromptBox } from "../reading.ts";
import { findWaiting } from "../screen-prompts/prompt.ts";

export type Mark = "busy" | "rest" | "none";

/**
 * Its title begins with a sign: a star while it rests, and while it works one that moves, which each version draws in
 * its own way. Once it tells its state to the terminal itself there is none.
 */
export function markOf(title: string): Mark {
  if (/^[✳✻✶✽✢✱*]\s/.test(title)) return "rest";
  return /^[\p{So}\p{Sk}\p{Sm}·•∙]\s/u.test(title) ? "busy" : "none";
}

export type Look =
  /** `skipped`: of banto's own settings, and of nobody else's; all that the dialog is about. */
  | { is: "blocked"; kind: "question" | "trouble"; reason: string; skipped?: string[] }
  /** A dialog with choices, or one without: what it asks, in its own words. */
  | { is: "menu" | "dialog"; text: string }
  /** Its input box, and whether it says above it that it was interrupted. */
  | { is: "box"; isInterrupted: boolean }
  | { is: "busy" | "unclear" };

const BLOCKED: [sign: RegExp, kind: "question" | "trouble", reason: string][] = [
  [
    /Is this a project you created or one you trust|Do you trust the files in this folder|I trust this folder/,
    "question",
    "Claude Code asks whether it may trust this repository. Answer in its terminal; it asks only once for each repository.",
  ],
  [
    /Select login method|Paste code here if prompted/,
    "trouble",
    "Claude Code is not logged in. Open its terminal and follow its steps; every task after this one is logged in too.",
  ],
  [
    /Let's get started\.\s+Choose the text style/, // the second alone is what /theme says
    "trouble",
    "Claude Code has not been set up for this user. Open its terminal and follow its steps; it asks only once.",
  ],
  [
    /Detected a custom API key in your environment/,
    "question",
    "Claude Code asks whether to use the API key of banto's environment. Answer in its terminal; it asks only once.",
  ],
  [
    /WARNING: Claude Code running in Bypass Permissions mode/,
    "question",
    "Claude Code asks whether it may run without asking for permissions. Answer in its terminal; it asks only once.",
  ],
  [
    /Settings (Warning|Error)/,
    "question",
    "Claude Code doesn't accept some of its settings and has stopped at that. Open its terminal: it says which, and how to go on.",
  ],
];

/** A line across the whole screen: above a dialog, and above and below the input box. */
const RULE = /^\s*[─━═▔]{20,}\s*$/;
/** The input box begins with one of these; each stands for what will be done with the text. */
const IN_BOX = /^\s*[❯›>!#&]/;

const SPINNER = /^\s*[·✢✳✶✻✽*] \S.*…/;
const LAST_ROWS = 12;
/** Dialogs and the input box have a line across the screen or a frame's edge above them. */
const EDGE = /^\s*[╭┌╔]?[─━═]{10,}/;
/** The dialogs of a first start have a picture above them instead. */
const TALLEST_DIALOG = 25;

export function lookAt(screen: Screen): Look {
  const rows = screen.text.split("\n");
  const shown = rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
  // Text above the dialog could say anything.
  const dialog = shown.slice(shown.findLastIndex((row) => EDGE.test(row)) + 1).slice(-TALLEST_DIALOG);
  const found = BLOCKED.find(([sign]) => sign.test(dialog.join("\n")));
  if (found !== undefined) {
    const skipped = skippedOfOurs(dialog);
    const [, kind, reason] = found;
    return { is: "blocked", kind, reason, ...(skipped.length > 0 && { skipped }) };
  }
  // Without the title, which is a separate sign and may be ahead of the screen or behind it.
  const waiting = findWaiting({ ...screen, title: "" }, true);
  const heading = headingOf(shown);
  if (heading !== "box" && waiting?.kind === "question")
    return { is: "menu", text: questionOf(waiting.text, heading) };
  if (shown.slice(-LAST_ROWS).some((row) => SPINNER.test(row))) return { is: "busy" };
  if (waiting?.kind === "box") return { is: "box", isInterrupted: endsInterrupted(shown) };
  const isDialog = heading !== undefined && heading !== "box";
  return isDialog ? { is: "dialog", text: heading } : { is: "unclear" };
}

/** The last thing that was said above the input box, or above a line that is drawn for it. */
function endsInterrupted(shown: string[]): boolean {
  const bottom = shown.findLastIndex((row) => RULE.test(row));
  const top = shown.slice(0, bottom).findLastIndex((row) => RULE.test(row));
  const last = shown.slice(0, top).findLast((row) => row.trim() !== "") ?? "";
  return /^\s*⎿\s+Interrupted\b/.test(last);
}

const OUR_SETTINGS = /^\S*\/run\/[^\s/]+\.signals\/settings\.json$/;
const CONTINUE = /^\s*❯ \d+\. Continue\b/;

/** Empty where a file of the person's is at fault, too, or where Enter would not go on with the rest of ours. */
function skippedOfOurs(dialog: string[]): string[] {
  const files = dialog.map((row) => row.trim()).filter((row) => /^[~/]\S*\.json$/.test(row));
  const isOurs = files.length > 0 && files.every((file) => OUR_SETTINGS.test(file));
  if (!isOurs || !dialog.some((row) => CONTINUE.test(row))) return [];
  return dialog.flatMap((row) => /^\s*[└├│]\s+([\w.[\]]+): /.exec(row)?.[1] ?? []);
}

/** What stands first in the dialog at the end of the screen; "box" where it is the input box. */
function headingOf(shown: string[]): string | undefined {
  const last = shown.findLastIndex((row) => RULE.test(row));
  if (last === -1) return undefined;
  const before = shown.slice(0, last).findLastIndex((row) => RULE.test(row));
  if (before !== -1 && IN_BOX.test(shown[before + 1] ?? "")) return "box";
  return shown
    .slice(last + 1)
    .find((row) => row.trim() !== "")
    ?.trim();
}

/** Above the choices there may be a detail, such as an address, and no question. */
const questionOf = (text: string, heading: string | undefined) =>
  heading === undefined || text.endsWith("?") ? text : heading;

/** Above a prompt box that belongs to a named session, the name stands in the line. */
const BOX_TOP = /^\s*[─━═▔]{10,}/;
/** In shell mode and the like another mark stands there. Choices of dialogs are indented, or numbered. */
const AT_PROMPT = /^❯(\s|$)/;
const NUMBERED_CHOICE = /^❯\s*\d+[.)]/;
const AFTER_MARK = 2;

/** The terminal's cursor stands where the next letter would go. A suggestion in an empty box stands behind it. */
export function boxOf({ text, cursor }: Pick<Screen, "text" | "cursor">): PromptBox {
  const rows = text.split("\n");
  const top = rows.findLastIndex((row, y) => y < cursor.y && BOX_TOP.test(row));
  const bottom = rows.findIndex((row, y) => y > cursor.y && RULE.test(row));
  const first = rows[top + 1] ?? "";
  if (top === -1 || bottom === -1 || !IN_BOX.test(first) || /^\s/.test(first)) return "hidden";
  const isAtStart = bottom === top + 2 && cursor.x === AFTER_MARK;
  return isAtStart && AT_PROMPT.test(first) && !NUMBERED_CHOICE.test(first) ? "empty" : "filled";
}
