// What Codex's screen says when nothing else does: dialogs that stand in the way of a start, or of the next prompt.
import type { Screen } from "../../hosts/connection.ts";

export interface Dialog {
  kind: "question" | "trouble";
  reason: string;
  /** One of those below; of any other only its heading is known. */
  isKnown: boolean;
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
  const shown = rows.slice(Math.max(0, end - TALLEST), end);
  const found = DIALOGS.find(([sign]) => sign.test(shown.join("\n")));
  if (found !== undefined) return { kind: found[1], reason: found[2], isKnown: true };
  const heading = headingOf(shown);
  if (heading === undefined) return undefined;
  const reason = `A dialog is open in its terminal: “${heading}”${/[.?!…]$/.test(heading) ? "" : "."} Answer it there.`;
  return { kind: "question", reason, isKnown: false };
}

/** The last row of every dialog that stands in the place of the input box. */
const HINT = /^\s*(press )?enter\b.*\besc\b/i;
const CHOICE = /^(›| )\s*(›\s*)?\d+\. \S/;
/** The conversation above. */
const SAID = /^(?:[•✔✗■]|›(?!\s*\d+\.)) /;

/** What is asked, or else what stands first right above the choices; undefined where there is no dialog. */
function headingOf(rows: string[]): string | undefined {
  if (!HINT.test(rows.at(-1) ?? "")) return undefined;
  const dialog = rows.slice(rows.findLastIndex((row) => SAID.test(row)) + 1, -1);
  const first = dialog.findIndex((row) => CHOICE.test(row));
  const above = (first === -1 ? dialog : dialog.slice(0, first)).map((row) => row.trim());
  const end = above.findLastIndex((row) => row !== "");
  const start = above.slice(0, end + 1).lastIndexOf("") + 1;
  return above.findLast((row) => row.endsWith("?")) ?? above[start];
}
