// The dialogs of Gemini CLI, read off its screen: there is no other way to know what it asks. Pure.
import type { Screen } from "../../hosts/connection.ts";

export interface Choice {
  digit: string;
  label: string;
  description: string | null;
}

export interface Dialog {
  is: "trust" | "login" | "limit" | "permission" | "question" | "other";
  /** All rows of it, without its frame. */
  rows: string[];
  /** Its beginning is no longer on the screen, or something in it is left out. */
  isCut: boolean;
  choices: Choice[];
}

const TOP = /^\s*╭─+╮\s*$/;
const BOTTOM = /^\s*╰─+╯\s*$/;
const CHOICE = /^(?:●)?\s*(\d)\.\s+(.*\S)\s*$/;
const LEFT_OUT = /\blines? hidden\b|\bCtrl\+O\b/i;

const SIGNS: [is: Dialog["is"], sign: RegExp][] = [
  ["trust", /^Do you trust the files in this folder\?/m],
  ["login", /^How would you like to authenticate|^Enter Gemini API Key/m],
  ["limit", /^(?:●\s*)?1\. Keep trying$/m],
  ["question", /^Answer Questions$/m],
  ["permission", /^(?:●\s*)?\d\. Allow once$/m],
];

/** The box at the end of the screen, with nothing below it; undefined where there is none. */
export function findDialog({ text }: Pick<Screen, "text">): Dialog | undefined {
  const rows = text.split("\n").map((row) => row.trimEnd());
  const bottom = rows.findLastIndex((row) => row !== "");
  if (!BOTTOM.test(rows[bottom] ?? "")) return undefined;
  const edge = rows[bottom]?.indexOf("╰") ?? 0;
  const top = rows.slice(0, bottom).findLastIndex((row) => TOP.test(row) && row.indexOf("╭") === edge);
  const inside = rows.slice(top + 1, bottom).map((row) => withoutSides(row));
  const all = inside.map((row) => row.trim()).join("\n");
  const is = SIGNS.find(([, sign]) => sign.test(all))?.[0] ?? "other";
  return { is, rows: inside, isCut: top === -1 || LEFT_OUT.test(all), choices: choicesOf(inside) };
}

/** Without the frame's lines at its ends. */
export function withoutSides(row: string): string {
  const open = row.replace(/^\s*│ ?/, "");
  return (open.endsWith("│") ? open.slice(0, -1) : open).trimEnd();
}

/** At the end: what is asked about may look like choices too. */
function choicesOf(rows: string[]): Choice[] {
  const choices: Choice[] = [];
  for (const [index, row] of rows.entries()) {
    const [, digit, label] = CHOICE.exec(row.trim()) ?? [];
    if (digit === undefined || label === undefined || row.startsWith("│")) continue;
    if (digit === "1") choices.length = 0;
    if (Number(digit) !== choices.length + 1) continue;
    const below = rows[index + 1]?.trim() ?? "";
    const isDescription = below !== "" && !CHOICE.test(below) && /^\s{4,}/.test(rows[index + 1] ?? "");
    choices.push({ digit, label, description: isDescription ? below : null });
  }
  return choices;
}

/** What a dialog is about: the first thing in it. */
export const headingOf = ({ rows }: Dialog): string =>
  rows
    .map((row) =>
      row
        .replace(/[│┌┐─]+.*$/, "")
        .replace(/^[\s?>●]+/, "")
        .trim(),
    )
    .find((row) => row !== "") ?? "";

/** While it waits for its model, it says so beside its spinner. */
export function retryingOn({ text }: Pick<Screen, "text">): string | null {
  return /Trying to reach \S+ \(Attempt \d+\/\d+\)/.exec(text.split("\n").slice(-12).join("\n"))?.[0] ?? null;
}

const BOX_TOP = /^▄{20,}/;
const BOX_BOTTOM = /^▀{20,}/;
/** Below it there is what it works on. */
const MOST_BELOW = 5;

/** Where its input box is: the last frame of its kind, as what was said is framed like it. */
export function hasBox({ text }: Pick<Screen, "text">): boolean {
  const rows = text.split("\n");
  const bottom = rows.findLastIndex((row) => BOX_BOTTOM.test(row));
  const top = rows.slice(0, Math.max(bottom, 0)).findLastIndex((row) => BOX_TOP.test(row));
  const below = rows.slice(bottom + 1).filter((row) => row.trim() !== "");
  const isLast = below.length <= MOST_BELOW && !below.some((row) => /^[✦ℹ✕⚠╭│╰]/.test(row));
  return top !== -1 && isLast && /^ [>*!] /.test(rows[top + 1] ?? "");
}

/** Nothing has been said on it yet, as before what is resumed has been read. */
export function isBare({ text }: Pick<Screen, "text">): boolean {
  const rows = text.split("\n");
  const isSaid = rows.some((row) => /^[✦ℹ✕⚠]/.test(row)) || rows.filter((row) => /^ > /.test(row)).length > 1;
  return /Gemini CLI v\d/.test(text) && !isSaid;
}

/** What stands in its input box. */
export function typed({ text }: Pick<Screen, "text">): string {
  const rows = text.split("\n");
  const bottom = rows.findLastIndex((row) => BOX_BOTTOM.test(row));
  const top = rows.slice(0, Math.max(bottom, 0)).findLastIndex((row) => BOX_TOP.test(row));
  return top === -1
    ? ""
    : rows
        .slice(top + 1, bottom)
        .join("")
        .replace(/^ [>*!]/, "");
}

export type Mark = "rest" | "busy" | "asks" | "none";

/** Its title begins with a sign of what it does. */
export function markOf(title: string): Mark {
  if (title.startsWith("◇")) return "rest";
  if (title.startsWith("✋")) return "asks";
  return /^[✦⏲]/.test(title) ? "busy" : "none";
}
