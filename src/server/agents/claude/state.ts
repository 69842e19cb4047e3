// What Claude Code is doing: one pure function of what is known. It tells of itself in several ways, and the most
// exact one that is there counts. The first line that holds wins.
//
//  | what is known                                                             | is it doing            |
//  | ------------------------------------------------------------------------- | ---------------------- |
//  | 1 it asks (PermissionRequest is held), and nothing shows that this was    | permission, question   |
//  |   answered in the terminal, where its dialog has been seen                |                        |
//  |                                                                           |                        |
//  |   It tells its state, to its terminal or in its file (told-state.ts):     |                        |
//  | 2 anything, but a hook came a moment ago and it has told nothing since    | as that hook says      |
//  | 3 blocked                                                                 | permission, question,  |
//  |                                                                           | trouble (sign in)      |
//  | 4 working, and for more than a moment if its turn was over before         | working                |
//  | 5 at rest or with work in the background, but the screen shows a dialog   | question, trouble      |
//  | - about to submit the prompt it was started with                          | working                |
//  | 6 its turn is over, and something it started goes on                      | background             |
//  | 7 at rest: how its turn ended, by its last hook or in its own words       | finished, idle,        |
//  |                                                                           | limited, trouble       |
//  |                                                                           |                        |
//  |   It tells nothing, or does so no more (signs-state.ts):                  |                        |
//  | 8 its last hook says that the turn is over (Stop, StopFailure, /clear,    | finished, limited,     |
//  |   what it asked was withdrawn), and the title has not been busy for a     | trouble, idle;         |
//  |   while since; a dialog that has stood for a while after a turn asks      | question               |
//  | 9 its last hook says that it works, but the title has been at rest for a  | question by a dialog,  |
//  |   second since, and the screen agrees (Esc fires no hook)                 | idle by its input box  |
//  |   After a long silence, though banto can't read what is there             | question               |
//  | 10 its last hook says that it works, the title says nothing, and the      | question by a menu,    |
//  |   screen is silent with a menu or an empty input box                      | idle by its input box  |
//  | 11 its last hook says that it works, or the title is busy                 | working                |
//  | 12 no hook so far: the screen shows what stands in the way of a start     | question, trouble      |
//  | 13 no hook so far: silent at a menu                                       | question               |
//  | 14 no hook so far: silent at its input box, and not about to submit the   | finished if it was     |
//  |   prompt it was started with; and from then on, whatever is written, as   | busy before and isn't  |
//  |   long as neither title nor screen is busy                                | shown as interrupted,  |
//  |                                                                           | or idle                |
//  |   Silent for long at something that banto can't read, its title at rest   | question               |
//  | 15 anything else                                                          | working                |
//
// All of these come by different ways and overtake each other, so whatever contradicts a hook has to last a while.
import { HELD, type Intake, type Reading } from "../reading.ts";
import { isNamed, isQuestion, type OpenAsk, toAsk } from "./ask.ts";
import { type Facts, type Found, type Lasted, SETTLED_MS, SUBMIT_MS, toldOf } from "./facts.ts";
import { type Look, lookAt } from "./screen.ts";
import { bySigns, GRACE_MS, LATE_MS } from "./signs-state.ts";
import type { Told } from "./told.ts";
import { byTold } from "./told-state.ts";

const HUNG_UP_MS = 300;

export function read(facts: Facts, now: number): Reading {
  const due: number[] = [];
  /** Has it lasted? If not, it is worth another look then. */
  const lasted = (since: number, ms: number) => {
    if (now - since >= ms) return true;
    due.push(since + ms);
    return false;
  };
  const told = toldOf(facts);
  const answered = facts.asks.filter((ask) => isAnswered(facts, told, ask, lasted));
  const ask = facts.asks.find((one) => !answered.includes(one));
  const found =
    ask !== undefined
      ? asking(ask)
      : told !== null
        ? byTold(facts, told, now, lasted)
        : bySigns(facts, now, lasted);
  return {
    reason: null,
    until: null,
    asks: null,
    intake: ask === undefined ? intakeOf(facts, told, found.kind) : HELD.asks,
    // One that tells its state will tell of the first one, too.
    accepted: facts.promptedAt ?? (told === null ? null : facts.at),
    ...(facts.heard !== null && { heard: facts.heard }),
    less: lessOf(facts, told, lasted),
    ...found,
    release: [...facts.settled, ...answered.map(({ id }) => id)],
    again: due.length === 0 ? null : Math.min(...due),
    ...(goesOnWithout(facts.screen?.look) && {
      press: [{ keys: ENTER, when: (screen) => goesOnWithout(lookAt(screen)) }],
    }),
  };
}

const ENTER = "\r";

/** Nobody has to answer for banto's own settings: Enter goes on with what it knows of them. */
const goesOnWithout = (look: Look | undefined) => look?.is === "blocked" && look.skipped !== undefined;

/** It takes prompts while it works, too, and keeps them for later. Whatever isn't seen to be its prompt box may be a dialog. */
function intakeOf({ screen }: Facts, told: Told | null, kind: Reading["kind"]): Intake {
  if (told?.is === "blocked" && told.by === "dialog") return HELD.dialog;
  if (kind === "permission" || kind === "question") return HELD.asks;
  // What was answered a moment ago may still be there.
  if (told?.is === "blocked" && told.by !== "auth") return HELD.dialog;
  const shown = screen?.look.is ?? "unclear";
  if (shown === "menu" || shown === "dialog" || shown === "blocked") return HELD.dialog;
  return screen === null || screen.box === "hidden" ? HELD.hidden : "open";
}

const SILENT =
  "Its hooks don't reach banto, so it can be answered only in its terminal, and its replies aren't shown here. Look for disableAllHooks or allowedHttpHookUrls in Claude Code's settings, or run claude update if it is old.";
const UNTOLD =
  "This Claude Code doesn't say what state it is in, so banto judges by its hooks and its screen: an interrupt is seen a moment later, and a dialog of its own only if banto can read it. Run claude update if it is old.";

const skippedOf = (names: string[]) =>
  `This Claude Code doesn't know some of what banto has set for it (${names.join(", ")}) and goes on without that, so banto may see less of what it does.`;

function lessOf(facts: Facts, told: Told | null, lasted: Lasted): string | null {
  if (facts.skipped.length > 0) return skippedOf(facts.skipped);
  if (isSilent(facts, told, lasted)) return SILENT;
  // What it keeps is found within a moment of its start, or of banto's.
  const isUntold = told === null && facts.turn !== null && lasted(facts.at, SUBMIT_MS);
  return isUntold ? UNTOLD : null;
}

/** It has had something to do and has told of it, or its title has, but none of its hooks. */
function isSilent({ turn, asks, wasBusy, title }: Facts, told: Told | null, lasted: Lasted): boolean {
  if (turn !== null || asks.length > 0 || !wasBusy) return false;
  if (told === null) return title.mark !== "busy" && lasted(title.since, GRACE_MS);
  if (told.is === "working" || told.by === "auth") return false;
  return lasted(told.since, GRACE_MS);
}

/** Of two that it asks it has told of this one before, and now tells of the other. */
function isPast(ask: OpenAsk, asks: OpenAsk[], { since, words }: Told): boolean {
  if (!ask.wasNamed || since <= ask.at || isNamed(ask, words)) return false;
  return asks.some((other) => other !== ask && isNamed(other, words));
}

function asking(open: OpenAsk): Found {
  const asks = toAsk(open);
  return { kind: isQuestion(open) ? "question" : "permission", since: open.at, reason: asks.summary, asks };
}

/** It asks a question of which no hook tells, as an MCP server does while its tool runs, which had to be allowed before. */
const isBehind = (ask: OpenAsk, asks: OpenAsk[], { since, by }: Told) =>
  by === "question" && since > ask.at && ask.isShown && ask.agentId === null && !asks.some(isQuestion);

/** In the terminal, of which no hook tells until the tool has run. */
function isAnswered(
  { title, screen, asks }: Facts,
  told: Told | null,
  ask: OpenAsk,
  lasted: Lasted,
): boolean {
  const { at, isShown, withdrawnAt } = ask;
  // An agent that is killed hangs up too, and is not idle for that last moment.
  if (withdrawnAt !== undefined) return lasted(withdrawnAt, HUNG_UP_MS);
  if (told?.is === "blocked")
    return (isPast(ask, asks, told) || isBehind(ask, asks, told)) && lasted(told.since, SETTLED_MS);
  // Until its dialog is drawn all looks like work; one that is never seen was gone before anyone looked.
  if (!isShown && !lasted(at, LATE_MS)) return false;
  // Where one dialog follows the other it works for a moment in between.
  if (told !== null) return told.since > at && lasted(told.since, SETTLED_MS);
  if (title.mark === "busy" && title.since > at && lasted(title.since, SETTLED_MS)) return true;
  // While it asks, the input box is hidden.
  const isLater = screen !== null && screen.at >= at + GRACE_MS;
  return isLater && (screen.look.is === "box" || screen.look.is === "busy");
}
