// Any program at all: told from its screen once it is silent.
import { DomainError } from "../errors.ts";
import type { Reader, ReaderStart, Reading } from "./reading.ts";
import { findWaiting, type Waiting } from "./screen-prompts/prompt.ts";

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
    hear(news) {
      if (news.type === "output") {
        // Told at most once a second, so the second time it is more than a picture.
        if (waiting === undefined || isStirring) become(undefined, news.at);
        else isStirring = true;
      } else if (news.type === "screen") {
        const found = findWaiting(news.screen, true);
        // While it is silent and not recognised, what it did last goes on.
        if (news.quiet && found !== undefined) become(found, news.at);
        else if (isStirring && !isSame(waiting, found)) become(undefined, news.at);
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
