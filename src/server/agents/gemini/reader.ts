import type { PermissionMode } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import type { Reader, ReaderStart } from "../reading.ts";
import { answerSteps } from "./answers.ts";
import { noFacts, observe } from "./facts.ts";
import { modeAfter, permissionsIn } from "./permissions.ts";
import { read } from "./state.ts";

/** Follows one session of Gemini CLI. */
export function createGeminiReader(start: ReaderStart): Reader {
  let facts = noFacts(start);
  let mode: PermissionMode | null = null;

  return {
    observe(observation) {
      facts = observe(facts, observation);
      mode = modeAfter(mode, observation);
    },

    read: (now) => read(facts, now),
    permissions: () => permissionsIn(mode),
    gauges: () => facts.gauges,
    reply: () => facts.reply,
    conversation: () => facts.transcript.session,

    answer(answer) {
      if (facts.dialog?.id !== answer.ask)
        throw new DomainError("conflict", "That was already answered, or is no longer being asked.");
      return { via: "keys", steps: answerSteps(facts.dialog.seen, answer) };
    },
  };
}
