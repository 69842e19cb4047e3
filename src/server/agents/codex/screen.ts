// What Codex's screen says when nothing else does: dialogs that stand in the way of a start, or of the next prompt.
import type { Screen } from "../../hosts/connection.ts";

export interface Dialog {
  kind: "question" | "trouble";
  reason: string;
}

const DIALOGS: [sign: RegExp, kind: Dialog["kind"], reason: string][] = [
  [
    /Trust this folder\?|Do you trust the contents of this (folder|directory)/,
    "question",
    "Codex asks whether it may trust this repository. Answer in its terminal; it asks only once for each repository.",
  ],
  [
    /Sign in with ChatGPT|Welcome to Codex[\s\S]*Sign in/,
    "trouble",
    "Codex is not logged in. Open its terminal and follow its steps; every task after this one is logged in too.",
  ],
  [
    /Hooks need review/,
    "question",
    "Codex asks you to review its hooks. Answer in its terminal; it asks again only when they change.",
  ],
  [
    /Approaching rate limits[\s\S]*(Switch|Keep current model)/i,
    "question",
    "Codex asks whether to switch to another model, because a limit is near. Answer in its terminal.",
  ],
  [
    /Try new model[\s\S]*Use existing model/i,
    "question",
    "Codex offers a new model. Answer in its terminal; it asks only once.",
  ],
  [
    /Choose working directory to resume/i,
    "question",
    "Codex asks in which directory to go on. Answer in its terminal.",
  ],
];

/** Text above a dialog could say anything. */
const TALLEST = 25;

export function dialogOn({ text }: Screen): Dialog | undefined {
  const rows = text.split("\n");
  const end = rows.findLastIndex((row) => row.trim() !== "") + 1;
  const shown = rows.slice(Math.max(0, end - TALLEST), end).join("\n");
  const found = DIALOGS.find(([sign]) => sign.test(shown));
  return found && { kind: found[1], reason: found[2] };
}
