// Prompts that are drawn: menus, input boxes, and full-screen editors.
import type { Screen } from "../../hosts/connection.ts";
import type { Waiting } from "./waiting.ts";

/** What agents show while they work, below a box that looks the same when they are idle. */
const AT_WORK = /\b(esc|escape|ctrl[+-]c|\^c) to (interrupt|stop)\b/i;
const SPINNER = /^[\u2800-\u28ff]/;

const FRAME = "[\\s│┃|]*";
const CHOSEN = new RegExp(`^${FRAME}[❯›▸➤]\\s*\\d+[.)]\\s+\\S`);
const NUMBERED = new RegExp(`^${FRAME}\\d+[.)]\\s+\\S`);
const POINTED = new RegExp(`^${FRAME}[❯›▸➤◉]\\s*\\S`);
const HINT =
  /\b(use|with) (the )?(arrow|↑|up\/down)|↑\s*\/?\s*↓|\b(enter|return) to (select|confirm|continue|submit|choose|accept)\b|\bspace to (select|toggle)\b/i;
const ACTIVE_QUESTION = /^◆\s+\S/;

const BORDER = /^\s*[╭┌╔╰└╚]?[─━═]{10,}[╮┐╗╯┘╝]?$/;
const INPUT = new RegExp(`^${FRAME}[❯›>](\\s|$)`);

const EDITOR =
  /^\^G Help\b|^-- (INSERT|REPLACE|VISUAL)|^# Please enter (the|a) commit message|^# Rebase [0-9a-f]+\.\.[0-9a-f]+ onto/;

type DrawnScreen = Pick<Screen, "cursor" | "alternate" | "title">;

/** A dialog is at the end of the screen, with at most a few lines of help below. */
const NEAR_THE_END = 6;
const TALLEST_MENU = 25;

/** The rows up to the last one that isn't blank. */
const shown = (rows: string[]) => rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
const trimFrame = (row: string) => row.replace(new RegExp(`^${FRAME}|${FRAME}$`, "g"), "");

export function asksOnScreen(rows: string[], { cursor, alternate, title }: DrawnScreen): Waiting | undefined {
  const visible = shown(rows);
  if (alternate && isEditor(visible)) return { kind: "question", text: visible.at(-1)?.trim() ?? "" };
  if (SPINNER.test(title) || visible.slice(-12).some((row) => AT_WORK.test(row))) return undefined;
  const question = menu(visible);
  if (question !== undefined) return { kind: "question", text: question };
  const box = inputBox(visible, cursor.y);
  return box === undefined ? undefined : { kind: "box", text: box };
}

function menu(rows: string[]): string | undefined {
  const recent = rows.slice(-TALLEST_MENU);
  const last = recent.findLastIndex((row) => CHOSEN.test(row) || NUMBERED.test(row));
  const chosen = recent.findIndex((row) => CHOSEN.test(row));
  const choices = recent.filter((row) => CHOSEN.test(row) || NUMBERED.test(row)).length;
  const isNumbered = chosen >= 0 && choices > 1 && recent.length - 1 - last <= NEAR_THE_END;
  const tail = rows.slice(-12);
  const isPointed = tail.some((row) => HINT.test(row)) && tail.some((row) => POINTED.test(row));
  if (isNumbered || isPointed) return questionAbove(recent, isNumbered ? CHOSEN : POINTED);
  return tail
    .findLast((row) => ACTIVE_QUESTION.test(row))
    ?.slice(1)
    .trim();
}

/** The text above the choices, or if there is none, the choice itself. */
function questionAbove(rows: string[], mark: RegExp): string {
  const at = rows.findLastIndex((row) => mark.test(row));
  const isChoice = (row: string) => NUMBERED.test(row) || mark.test(row) || trimFrame(row) === "";
  const above = rows.slice(0, at).findLast((row) => !isChoice(row));
  return trimFrame(above ?? rows[at] ?? "");
}

/** Two lines across the screen, with the cursor between them after a mark. */
function inputBox(rows: string[], cursorRow: number): string | undefined {
  const bottom = rows.findIndex((row, y) => y > cursorRow && BORDER.test(row));
  const top = rows.slice(0, cursorRow).findLastIndex((row) => BORDER.test(row));
  if (bottom < 0 || top < 0 || rows.length - 1 - bottom > NEAR_THE_END) return undefined;
  return INPUT.test(rows[top + 1] ?? "") ? trimFrame(rows[top + 1] ?? "") : undefined;
}

/**
 * Vim shows where a file ends, and editors that git opened show git's instructions. Monitors such as htop count as
 * busy.
 */
function isEditor(rows: string[]): boolean {
  return rows.some((row) => EDITOR.test(row)) || /(^~\n){3}/m.test(`${rows.join("\n")}\n`);
}
