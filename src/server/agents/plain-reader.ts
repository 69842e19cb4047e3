// Any program at all: told from its screen once it is silent.
import { DomainError } from "../errors.ts";
import { findWaiting, type Waiting } from "../session/prompt.ts";
import type { Reader, ReaderStart, Reading } from "./reading.ts";

const KINDS = { question: "question", box: "finished", prompt: "idle" } as const;

export function createPlainReader({ at }: ReaderStart): Reader {
  let waiting: Waiting | undefined;
  let since = at;

  return {
    hear(news) {
      const found = news.type === "screen" && news.quiet ? findWaiting(news.screen, true) : undefined;
      // While it is silent and not recognised, what it did last goes on.
      if (news.type !== "output" && found === undefined) return;
      if (waiting?.kind !== found?.kind || waiting?.text !== found?.text) since = news.at;
      waiting = found;
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
