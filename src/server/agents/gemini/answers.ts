// A person's answer as what is to be typed into Gemini CLI's dialog. Each key waits for the screen it is meant for.
import { LINE_BREAK, preparePaste } from "../../../vt/paste.ts";
import { DomainError } from "../../errors.ts";
import type { Screen } from "../../hosts/connection.ts";
import { requireText } from "../../text.ts";
import type { Answer, KeyStep } from "../reading.ts";
import { ALLOW, ALWAYS, choiceOf, customOf, toAsk } from "./ask.ts";
import { type Dialog, findDialog, hasBox, typed } from "./screen.ts";

const ESC = "\x1b";
const ENTER = "\r";
/** How much of a text's end has to be seen before it is sent. */
const MARK_LENGTH = 12;

/** So soon after a paste Enter would become part of it. */
const SETTLED_MS = 150;

/** The same dialog, whichever choice is marked. */
export const sameDialog = (a: Dialog | undefined, b: Dialog | undefined) => keyOf(a) === keyOf(b);
const keyOf = (dialog: Dialog | undefined) => dialog?.rows.join("\n").replaceAll("●", " ");

export function answerSteps(dialog: Dialog, answer: Answer): KeyStep[] {
  const ask = toAsk("", dialog);
  const isThere = (screen: Screen) => sameDialog(findDialog(screen), dialog);
  if (answer.decision === "deny") return [{ keys: ESC, when: isThere }, ...prompt(answer.message)];
  if (!ask.canAnswer)
    throw new DomainError("conflict", "It can't be shown here in full; answer it in its terminal.");
  if (dialog.is === "question") return choose(dialog, answer, isThere);
  const choice = choiceOf(dialog, answer.decision === "always" ? ALWAYS : ALLOW);
  if (choice === undefined)
    throw new DomainError("invalid", "decision: there is no “always” for this; allow it once, or deny it.");
  return [{ keys: choice.digit, when: isThere }];
}

function choose(dialog: Dialog, { answers = {} }: Answer, isThere: KeyStep["when"]): KeyStep[] {
  const [given = ""] = Object.values(answers);
  const text = requireText("answers", given).trim();
  if (text === "") throw new DomainError("invalid", "answers: the question is not answered.");
  const choice = choiceOf(dialog, text);
  if (choice !== undefined) return [{ keys: choice.digit, when: isThere }];
  const custom = customOf(dialog);
  if (custom === undefined || text.search(LINE_BREAK) !== -1)
    throw new DomainError("invalid", "answers: must be one of the options, or one line of text.");
  const isWriting = (screen: Screen) => screen.text.includes("Enter to submit · Esc");
  return [
    { keys: custom.digit, when: isThere },
    { keys: preparePaste(text, true), when: isWriting },
    { keys: ENTER, when: lasting((screen) => isWriting(screen) && shows(screen.text, text)) },
  ];
}

/** Refusing ends the turn, so that what is said with it is a prompt of its own. */
function prompt(message: string | undefined): KeyStep[] {
  const text = requireText("message", message ?? "").trim();
  if (text === "") return [];
  return [
    {
      keys: preparePaste(text, true),
      when: (screen) =>
        hasBox(screen) && findDialog(screen) === undefined && /^\s*Type your message/.test(typed(screen)),
    },
    {
      keys: ENTER,
      when: lasting((screen) => shows(typed(screen), text) || typed(screen).includes("[Pasted")),
    },
  ];
}

/** What is seen, and has been for a moment. */
function lasting(shown: KeyStep["when"]): KeyStep["when"] {
  let since: number | undefined;
  return (screen) => {
    since = shown(screen) ? (since ?? performance.now()) : undefined;
    return since !== undefined && performance.now() - since >= SETTLED_MS;
  };
}

const compact = (text: string) => text.replace(/[\s│]/g, "");
const shows = (shown: string, text: string) => compact(shown).includes(compact(text).slice(-MARK_LENGTH));
