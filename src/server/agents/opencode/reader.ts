import { DomainError } from "../../errors.ts";
import { createPlainReader } from "../plain-reader.ts";
import type { Reader, ReaderStart } from "../reading.ts";
import { answerBody } from "./answers.ts";
import { noFacts, observe } from "./facts.ts";
import { permissionsBy } from "./permissions.ts";
import { read, unheardAt } from "./state.ts";

const UNHEARD =
  "OpenCode didn't load banto's plugin, so banto sees less of what it does, and you can answer it only in its terminal.";

/** Follows one session of OpenCode: by its plugin, or like any other program if that is never heard. */
export function createOpenCodeReader(start: ReaderStart): Reader {
  const unheard = createPlainReader(start);
  let facts = noFacts(start);

  return {
    observe(observation) {
      unheard.observe(observation);
      facts = observe(facts, observation);
    },

    read(now) {
      const missingAt = unheardAt(facts);
      if (missingAt !== null && now >= missingAt) return { ...unheard.read(now), less: UNHEARD };
      return read(facts, now);
    },

    permissions: () => permissionsBy(facts.report?.rules ?? null),
    gauges: () => facts.gauges,
    reply: () => facts.reply,
    conversation: () => facts.report?.session ?? null,

    answer(answer) {
      const open = facts.asks.find(({ id }) => id === answer.ask);
      if (open === undefined)
        throw new DomainError("conflict", "That was already answered, or is no longer being asked.");
      return { via: "signal", body: answerBody(open, answer) };
    },
  };
}
