// Any program at all: told from its screen once it is silent.
import { DomainError } from "../errors.ts";
import type { Reader, ReaderStart, Reading } from "./reading.ts";
import { findWaiting } from "./screen-prompts/prompt.ts";
import type { Waiting } from "./screen-prompts/waiting.ts";

const KINDS = { question: "question", box: "finished", prompt: "idle" } as const;

export function createPlainReader({ at }: ReaderStart): Reader {
  let waiting: Waiting | undefined;
  let since = at;
  /** It wrote something while it waited: perhaps only drew itself anew for a window of another size. */
  let isStirring = false;

  function become(next: Waiting | undefined, when: number) {
    if (!isSame(waiting, next)) since = when;
    waiting = next;
    isStirring = false;
  }

  return {
    observe(observation) {
      if (observation.type === "output") {
        // Told at most once a second, so the second time it is more than a picture.
        if (waiting === undefined || isStirring) become(undefined, observation.at);
        else isStirring = true;
      } else if (observation.type === "screen") {
        const found = findWaiting(observation.screen, true);
        // While it is silent and not recognised, what it did last goes on.
        if (observation.quiet && found !== undefined) become(found, observation.at);
        else if (isStirring && !isSame(waiting, found)) become(undefined, observation.at);
      }
    },

    read: (): Reading => ({
      kind: waiting === undefined ? "working" : KINDS[waiting.kind],
      reason: waiting?.kind === "question" ? waiting.text : null,
      until: null,
      since,
      asks: null,
      release: [],
      again: null,
    }),

    gauges: () => null,
    reply: () => null,
    conversation: () => null,

    answer() {
      throw new DomainError("invalid", "This agent can only be answered in its terminal.");
    },
  };
}

const isSame = (a: Waiting | undefined, b: Waiting | undefined) =>
  a?.kind === b?.kind && (a?.kind !== "question" || a.text === b?.text);
