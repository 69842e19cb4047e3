// What Claude Code's screen and title say, where its hooks can't: before it has begun, and after an interrupt.
import type { Screen } from "../../hosts/connection.ts";
import { findWaiting } from "../screen-prompts/prompt.ts";

export type Mark = "busy" | "rest" | "none";

/** It spins a braille dot before its title while it works and shows a star when it does not. */
export function markOf(title: string): Mark {
  if (/^[\u2800-\u28ff]/.test(title)) return "busy";
  return /^[✳✻✶✽✢✱*]\s/.test(title) ? "rest" : "none";
}

export type Look =
  | { is: "blocked"; kind: "question" | "trouble"; reason: string }
  | { is: "menu"; text: string }
  | { is: "box" | "busy" | "unclear" };

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
];

const SPINNER = /^\s*[·✢✳✶✻✽*] \S.*…/;
const LAST_ROWS = 12;
/** A dialog has a line across the screen or a frame's edge above it, and so has the input box. */
const EDGE = /^\s*[╭┌╔]?[─━═]{10,}/;
/** Those of a first start have a picture above them instead. */
const TALLEST_DIALOG = 25;

export function lookAt(screen: Screen): Look {
  const rows = screen.text.split("\n");
  const shown = rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
  // Above the dialog anything may have been said.
  const dialog = shown.slice(shown.findLastIndex((row) => EDGE.test(row)) + 1).slice(-TALLEST_DIALOG);
  const found = BLOCKED.find(([sign]) => sign.test(dialog.join("\n")));
  if (found !== undefined) return { is: "blocked", kind: found[1], reason: found[2] };
  // The title is a sign of its own here, and may be ahead of the screen or behind it.
  const waiting = findWaiting({ ...screen, title: "" }, true);
  if (waiting?.kind === "question") return { is: "menu", text: waiting.text };
  if (shown.slice(-LAST_ROWS).some((row) => SPINNER.test(row))) return { is: "busy" };
  return { is: waiting?.kind === "box" ? "box" : "unclear" };
}
