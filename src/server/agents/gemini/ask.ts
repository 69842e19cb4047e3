// What Gemini CLI asks, in a form that people can answer without its terminal.
import { type Ask, type AskQuestion, LIMITS } from "../../../contract.ts";
import { clip, oneLine } from "../ask-text.ts";
import { type Choice, type Dialog, withoutSides } from "./screen.ts";

export const ALLOW = "Allow once";
export const ALWAYS = "Allow for this session";
/** What Gemini CLI takes that for, by its tools; it says so nowhere. */
const MEANING: Record<string, string> = {
  Shell: ": any command of the same programs",
  WriteFile: ": any edit of any file",
  Edit: ": any edit of any file",
};
const CUSTOM = "Enter a custom value";

export const choiceOf = ({ choices }: Dialog, label: string): Choice | undefined =>
  choices.find((choice) => choice.label === label);
export const customOf = (dialog: Dialog) => choiceOf(dialog, CUSTOM);

export const toAsk = (id: string, dialog: Dialog): Ask =>
  dialog.is === "question" ? toQuestion(id, dialog) : toPermission(id, dialog);

/** Its rows, up to its choices. */
function body({ rows, choices }: Dialog): string[] {
  const first = choices[0];
  const at =
    first && rows.findLastIndex((row) => row.trim().replace(/^●\s*/, "").startsWith(`${first.digit}.`));
  return at === undefined ? rows : rows.slice(0, at);
}

/** `? Shell  the command`: the tool, and what it is about. */
const HEAD = /^\?\s+(\S+)\s*(.*)$/;
const INNER = /^\s*[╭╰]─+[╮╯]$/;

function toPermission(id: string, dialog: Dialog): Ask {
  const rows = body(dialog);
  const [, tool = "", about = ""] = HEAD.exec(rows[0]?.trim() ?? "") ?? [];
  const [top, bottom] = [
    rows.findIndex((row) => INNER.test(row)),
    rows.findLastIndex((row) => INNER.test(row)),
  ];
  const hasInner = top !== -1 && bottom > top;
  const inner = rows.slice(top + 1, bottom).map(withoutSides);
  const outside = rows.slice(hasInner ? bottom + 1 : 1).map((row) => row.trim());
  const notes = outside.filter((row) => row !== "").map((row) => `# ${row}`);
  const content = hasInner ? inner.join("\n") : rows.join("\n");
  const detail = [content, ...(hasInner && notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n");
  const summary = tool === "Shell" && hasInner ? inner.join(" ") : about || (rows.find(Boolean) ?? "");
  return {
    id,
    tool: oneLine(tool),
    summary: oneLine(summary),
    detail: clip(detail, LIMITS.askDetail),
    always: choiceOf(dialog, ALWAYS) ? `“${ALWAYS}”${MEANING[tool] ?? ", as Gemini CLI means it"}` : null,
    questions: null,
    // What people can't see in full can't be allowed from here.
    canAnswer: !dialog.isCut && hasInner && choiceOf(dialog, ALLOW) !== undefined,
  };
}

function toQuestion(id: string, dialog: Dialog): Ask {
  const questions = questionsOf(dialog);
  const texts = body(dialog).filter((row) => row !== "" && row !== "Answer Questions");
  return {
    id,
    tool: "ask_user",
    summary: oneLine(texts.join(" ")),
    detail: clip(dialog.rows.join("\n").trim(), LIMITS.askDetail),
    always: null,
    questions,
    canAnswer: questions !== null,
  };
}

/** One question with choices. Several, or several answers to one, are given in the terminal. */
function questionsOf(dialog: Dialog): AskQuestion[] | null {
  const { rows, isCut, choices } = dialog;
  const isPlain = rows.some((row) => row.startsWith("Enter to select · ↑/↓"));
  if (isCut || !isPlain || choices.length === 0) return null;
  const question = body(dialog)
    .filter((row) => row !== "Answer Questions")
    .join("\n")
    .trim();
  const options = choices
    .filter(({ label }) => label !== CUSTOM)
    .map(({ label, description }) => ({ label, description }));
  return [{ question, header: null, multiple: false, options }];
}
