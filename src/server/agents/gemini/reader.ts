// What Gemini CLI is doing: its title says whether it works, its screen what it asks, its transcript how a turn ended.
// The first line that holds wins.
//
//  | what is known                                            | is it doing                                  |
//  | -------------------------------------------------------- | -------------------------------------------- |
//  | 1 a dialog of its start or of a limit is on the screen   | question, trouble, limited                   |
//  | 2 the title asks                                         | permission, question                         |
//  | 3 the title is busy                                      | working                                      |
//  | 4 the title is at rest: the transcript's last line, which may come a moment after the title, is         |
//  |     a reply                                              | finished                                     |
//  |     an error                                             | limited, trouble                             |
//  |     that it was cancelled                                | idle, interrupted                            |
//  |     none: its input box is there, and no first prompt is about to be sent                | idle         |
//  | 5 anything else                                          | working                                      |
import { type Gauges, LIMITS } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import { clip } from "../ask-text.ts";
import {
  HELD,
  type Intake,
  type Observation,
  type Reader,
  type ReaderStart,
  type Reading,
} from "../reading.ts";
import { answerSteps, sameDialog } from "./answers.ts";
import { toAsk } from "./ask.ts";
import { TRANSCRIPT } from "./channel.ts";
import { gaugesOf } from "./gauges.ts";
import { type Dialog, findDialog, hasBox, isBare, type Mark, markOf } from "./screen.ts";
import { noTranscript, type Transcript } from "./transcript.ts";
import { troubleOf } from "./trouble.ts";

/** By then it has sent its first prompt, on the slowest machine. */
const BEGUN_MS = 60_000;
/** On a busy machine the screen and the transcript may be this late. */
const LATE_MS = 3_000;
/** Esc too lets the title rest, and the transcript says so only then. */
const SETTLED_MS = 300;
/** An answer that has changed nothing by then was not taken. */
const TAKEN_MS = 6_000;

const WORDS = {
  trust: {
    kind: "question",
    reason:
      "Gemini CLI asks whether it may trust this folder. Answer in its terminal; trusting the repository itself once spares you the question for its other tasks.",
  },
  login: {
    kind: "trouble",
    reason: "Gemini CLI is not signed in. Open its terminal and follow its steps.",
  },
  limit: {
    kind: "limited",
    reason: "The usage limit is reached. Its terminal asks whether to keep trying or to stop.",
  },
} as const;

type Found = Pick<Reading, "kind" | "since"> & Partial<Pick<Reading, "reason" | "asks">>;

/** Follows one session of Gemini CLI. */
export function createGeminiReader(start: ReaderStart): Reader {
  let title: { mark: Mark; since: number } = { mark: "none", since: start.at };
  let dialog: { id: string; seen: Dialog; since: number } | undefined;
  /** Answered from here, and perhaps still on the screen. */
  let answered: { seen: Dialog; at: number } | undefined;
  let isAtBox = false;
  /** Its input box has been there, and all was quiet: before, its title says that it rests, and prompts get lost. */
  let hasBegun = false;
  let transcript: Transcript = noTranscript;
  let gauges: Gauges | null = null;
  let reply: string | null = null;
  let count = 0;

  function observe(observation: Observation) {
    const { at } = observation;
    if (observation.type === "title") {
      const mark = markOf(observation.title);
      if (mark !== title.mark) title = { mark, since: at };
    } else if (observation.type === "screen") {
      isAtBox = hasBox(observation.screen) && observation.screen.bracketedPaste;
      see(findDialog(observation.screen), at);
      // Trusted, it starts once more.
      if (dialog?.seen.is === "trust") hasBegun = false;
      else if (!hasBegun && isAtBox && observation.quiet)
        hasBegun = transcript.promptedAt === null || !isBare(observation.screen);
    } else if (observation.type === "note" && observation.source === TRANSCRIPT) {
      transcript = observation.body as Transcript;
      gauges = gaugesOf(transcript);
      if (transcript.end?.type === "reply" && transcript.end.text !== "")
        reply = clip(transcript.end.text, LIMITS.lastReply);
    } else if (observation.type === "over" && dialog?.id === observation.ask) {
      answered = { seen: dialog.seen, at };
      dialog = undefined;
    }
  }

  function see(seen: Dialog | undefined, at: number) {
    if (answered !== undefined && sameDialog(seen, answered.seen) && at - answered.at < TAKEN_MS) return;
    answered = undefined;
    if (sameDialog(seen, dialog?.seen)) {
      if (dialog !== undefined && seen !== undefined) dialog = { ...dialog, seen };
      return;
    }
    count += 1;
    dialog = seen && { id: `${at}-${count}`, seen, since: at };
  }

  function find(lasted: (since: number, ms: number) => boolean): Found {
    const { mark, since } = title;
    const words = dialog && WORDS[dialog.seen.is as keyof typeof WORDS];
    if (dialog !== undefined && words !== undefined) return { ...words, since: dialog.since };
    const working: Found = { kind: "working", since, reason: start.note };
    if (mark === "asks") {
      if (dialog !== undefined) return asking(dialog);
      if (answered !== undefined && !lasted(answered.at, TAKEN_MS)) return working;
      // The title is ahead of the screen.
      if (!lasted(since, LATE_MS)) return working;
      return { kind: "permission", since, reason: "It asks for something. Answer in its terminal." };
    }
    if (mark !== "rest") return working;
    return atRest(lasted, working);
  }

  function atRest(lasted: (since: number, ms: number) => boolean, working: Found): Found {
    const { end, promptedAt } = transcript;
    const { since } = title;
    if (!hasBegun) return working;
    if (promptedAt === null && start.prompted && !lasted(start.at, BEGUN_MS)) return working;
    if (end?.type === "reply")
      return lasted(Math.max(since, end.at), SETTLED_MS) ? { kind: "finished", since } : working;
    if (end?.type === "error") return { ...troubleOf(end.text), since };
    if (end?.type === "cancelled") return { kind: "idle", since, reason: "Interrupted." };
    if (promptedAt !== null && !lasted(Math.max(since, promptedAt), LATE_MS)) return working;
    return isAtBox ? { kind: "idle", since } : working;
  }

  return {
    observe,

    read(now) {
      const due: number[] = [];
      const lasted = (since: number, ms: number) => {
        if (now - since >= ms) return true;
        due.push(since + ms);
        return false;
      };
      const doing = find(lasted);
      return {
        ...{ reason: null, until: null, asks: null, less: null, release: [] },
        ...doing,
        intake: intakeOf(doing.kind, dialog?.seen, isAtBox && (hasBegun || title.mark === "busy")),
        accepted: transcript.promptedAt,
        again: due.length === 0 ? null : Math.min(...due),
      };
    },

    gauges: () => gauges,
    reply: () => reply,
    conversation: () => transcript.session,

    answer(answer) {
      if (dialog?.id !== answer.ask)
        throw new DomainError("conflict", "That was already answered, or is no longer being asked.");
      return { via: "keys", steps: answerSteps(dialog.seen, answer) };
    },
  };
}

function asking({ id, seen, since }: { id: string; seen: Dialog; since: number }): Found {
  const asks = toAsk(id, seen);
  return { kind: seen.is === "permission" ? "permission" : "question", since, reason: asks.summary, asks };
}

/** While it works it keeps prompts for later. */
function intakeOf(kind: Reading["kind"], dialog: Dialog | undefined, isAtBox: boolean): Intake {
  if (kind === "permission" || kind === "question") return HELD.asks;
  if (dialog !== undefined) return HELD.dialog;
  return isAtBox ? "open" : { held: "Gemini CLI is not ready for a prompt. Look at its terminal." };
}
