// Any program at all: told from what it says of itself, where it does, and else from its screen once it is silent.
import { DomainError } from "../errors.ts";
import type { Program } from "../hosts/connection.ts";
import { isLeftOver, type ProgramActivity, programActivity } from "./program-status.ts";
import { HELD, type Intake, type Reader, type ReaderStart, type Reading } from "./reading.ts";
import { findTold, type PromptPatterns } from "./screen-prompts/told-prompt.ts";
import type { Waiting } from "./screen-prompts/waiting.ts";

const KINDS = { question: "question", box: "finished", prompt: "idle" } as const;

export function createPlainReader({ at }: ReaderStart, patterns: PromptPatterns = {}): Reader {
  let waiting: Waiting | undefined;
  let since = at;
  /** It wrote something while it waited, perhaps only to redraw itself in another size. */
  let isStirring = false;
  let reports: Program[] = [];
  let accepted: number | null = null;

  function become(next: Waiting | undefined, when: number) {
    if (!isSame(waiting, next)) since = when;
    waiting = next;
    isStirring = false;
  }

  /** That it works after it did not says that it took a prompt. */
  function hear(next: Program[]) {
    const root = (all: Program[]) => all.find(({ id }) => id === "");
    const [before, now] = [root(reports), root(next)];
    if (now?.state === "working" && before?.state !== "working") accepted = now.at;
    reports = next;
  }

  function activity(): ProgramActivity {
    const isPrompting = waiting?.kind === "prompt" && isLeftOver(reports, since);
    const said = isPrompting ? undefined : programActivity(reports);
    if (said !== undefined) return said;
    if (waiting === undefined) return { kind: "working", reason: null, since };
    return { kind: KINDS[waiting.kind], reason: waiting.kind === "question" ? waiting.text : null, since };
  }

  return {
    observe(observation) {
      if (observation.type === "program") hear(observation.reports);
      else if (observation.type === "output") {
        // Told at most once a second, so the second time it is more than a picture. A dialog may blink.
        if (waiting?.isCertain) return;
        if (waiting === undefined || isStirring) become(undefined, observation.at);
        else isStirring = true;
      } else if (observation.type === "screen") {
        const found = findTold(observation.screen, patterns);
        const isGone = (isStirring || waiting?.isCertain) && !isSame(waiting, found);
        // While it is silent and not recognised, what it did last goes on.
        if (found !== undefined && (observation.quiet || found.isCertain)) become(found, observation.at);
        else if (isGone) become(undefined, observation.at);
      }
    },

    read(): Reading {
      const doing = activity();
      return {
        ...doing,
        ...{ until: null, asks: null, less: null, release: [], again: null },
        intake: intakeOf(doing.kind),
        accepted,
      };
    },

    gauges: () => null,
    reply: () => null,
    conversation: () => null,

    answer() {
      throw new DomainError("invalid", "This agent can only be answered in its terminal.");
    },
  };
}

function intakeOf(kind: Reading["kind"]): Intake {
  if (kind === "permission" || kind === "question") return HELD.asks;
  return kind === "working" ? HELD.working : "open";
}

const isSame = (a: Waiting | undefined, b: Waiting | undefined) =>
  a?.kind === b?.kind && (a?.kind !== "question" || a.text === b?.text);
