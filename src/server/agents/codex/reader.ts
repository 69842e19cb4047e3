import { LIMITS } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import { clip } from "../ask-text.ts";
import type { Reader, ReaderStart } from "../reading.ts";
import { answerBody } from "./answers.ts";
import { canBeAnswered } from "./ask.ts";
import { noFacts, observe } from "./facts.ts";
import { NO_GAUGES } from "./gauges.ts";
import { permissionsAfter, type ThreadPermissions } from "./permissions.ts";
import { read } from "./state.ts";

/** Follows one session of Codex. */
export function createCodexReader(start: ReaderStart): Reader {
  let facts = noFacts(start);
  let allowed: ThreadPermissions | null = null;

  return {
    observe(observation) {
      facts = observe(facts, observation);
      allowed = permissionsAfter(allowed, observation);
    },

    read: (now) => read(facts, now),
    permissions: () => allowed?.permissions ?? null,
    gauges: () => (facts.gauges === NO_GAUGES ? null : facts.gauges),
    reply: () => (facts.reply === null ? null : clip(facts.reply, LIMITS.lastReply)),
    conversation: () => facts.threadId,

    answer(answer) {
      const open = facts.asks.find(({ id, method }) => id === answer.ask && canBeAnswered(method));
      if (open === undefined) {
        throw new DomainError("conflict", "That was already answered, or is no longer being asked.");
      }
      return { via: "channel", body: answerBody(open, answer) };
    },
  };
}
