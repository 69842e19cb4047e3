// What is known about a session of Gemini CLI: the latest sign of each kind, and when it came. Pure.
import { type Gauges, LIMITS } from "../../../contract.ts";
import { clip } from "../ask-text.ts";
import type { Observation, ReaderStart } from "../reading.ts";
import { sameDialog } from "./answers.ts";
import { TRANSCRIPT } from "./channel.ts";
import { gaugesOf } from "./gauges.ts";
import { type Dialog, findDialog, hasBox, isBare, type Mark, markOf, retryingOn } from "./screen.ts";
import { noTranscript, type Transcript } from "./transcript.ts";

/** An answer that has changed nothing by then was not taken. */
export const TAKEN_MS = 6_000;

export interface Facts extends ReaderStart {
  /** The title's mark, and since when. */
  title: { mark: Mark; since: number };
  dialog: { id: string; seen: Dialog; since: number } | null;
  /** Answered from here, and perhaps still on the screen. */
  answered: { seen: Dialog; at: number } | null;
  isAtBox: boolean;
  /** Since when its screen has been silent without its input box. */
  boxlessSince: number | null;
  /** Its input box has been there, and all was quiet: before, its title says that it rests, and prompts get lost. */
  hasBegun: boolean;
  /** What it says of the next attempt to reach its model. */
  retrying: string | null;
  transcript: Transcript;
  gauges: Gauges | null;
  reply: string | null;
  /** How many dialogs there have been. */
  count: number;
}

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  title: { mark: "none", since: start.at },
  dialog: null,
  answered: null,
  isAtBox: false,
  boxlessSince: null,
  hasBegun: false,
  retrying: null,
  transcript: noTranscript,
  gauges: null,
  reply: null,
  count: 0,
});

export function observe(facts: Facts, observation: Observation): Facts {
  const { at } = observation;
  switch (observation.type) {
    case "title": {
      const mark = markOf(observation.title);
      return mark === facts.title.mark ? facts : { ...facts, title: { mark, since: at } };
    }
    case "screen":
      return withScreen(facts, observation);
    case "note":
      return observation.source === TRANSCRIPT
        ? withTranscript(facts, observation.body as Transcript)
        : facts;
    case "over": {
      const { dialog } = facts;
      if (dialog?.id !== observation.ask) return facts;
      return { ...facts, answered: { seen: dialog.seen, at }, dialog: null };
    }
    default:
      return facts;
  }
}

function withScreen(known: Facts, { screen, quiet, at }: Extract<Observation, { type: "screen" }>): Facts {
  const facts = withDialog(known, findDialog(screen), at);
  const isAtBox = hasBox(screen) && screen.bracketedPaste;
  const boxlessSince = isAtBox || !quiet ? null : (facts.boxlessSince ?? at);
  return {
    ...facts,
    ...{ isAtBox, boxlessSince, retrying: retryingOn(screen) },
    hasBegun: hasBegun(facts, isAtBox && quiet && !isBare(screen), isAtBox && quiet),
  };
}

/** What is resumed has to be read first, and trusted it starts once more. */
function hasBegun({ dialog, hasBegun, transcript }: Facts, isSaid: boolean, isQuiet: boolean): boolean {
  if (dialog?.seen.is === "trust") return false;
  return hasBegun || (transcript.promptedAt === null ? isQuiet : isSaid);
}

function withDialog(facts: Facts, seen: Dialog | undefined, at: number): Facts {
  const { answered, dialog, count } = facts;
  const lingers = answered !== null && sameDialog(seen, answered.seen) && at - answered.at < TAKEN_MS;
  if (lingers) return facts;
  if (seen === undefined) return { ...facts, answered: null, dialog: null };
  if (sameDialog(seen, dialog?.seen))
    return { ...facts, answered: null, dialog: dialog && { ...dialog, seen } };
  const next = { id: `${at}-${count + 1}`, seen, since: at };
  return { ...facts, answered: null, dialog: next, count: count + 1 };
}

function withTranscript(facts: Facts, transcript: Transcript): Facts {
  const { end } = transcript;
  const isReply = end?.type === "reply" && end.text !== "";
  const reply = isReply ? clip(end.text, LIMITS.lastReply) : facts.reply;
  return { ...facts, transcript, gauges: gaugesOf(transcript), reply };
}
