import type { Gauges } from "../../../contract.ts";
import { LIMITS } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import { clip } from "../ask-text.ts";
import type { Reader, ReaderStart } from "../reading.ts";
import { answerBody } from "./answers.ts";
import { noFacts, observe } from "./facts.ts";
import { parseStatus, STATUS } from "./gauges.ts";
import { parseHook } from "./hooks.ts";
import { type KnownMode, modeAfter, permissionsIn } from "./permissions.ts";
import { boxOf } from "./screen.ts";
import { read } from "./state.ts";

/** Follows one session of Claude Code. */
export function createClaudeReader(start: ReaderStart): Reader {
  let facts = noFacts(start);
  let mode: KnownMode = null;
  let gauges: Gauges | null = null;
  let reply: string | null = null;
  let conversation: { id: string; serial: number } | null = null;

  const converses = (id: string | null, serial: number) => {
    if (id !== null && serial >= (conversation?.serial ?? 0)) conversation = { id, serial };
  };

  return {
    observe(observation) {
      mode = modeAfter(mode, observation);
      if (observation.type === "signal" && observation.signal.name === STATUS) {
        const status = parseStatus(observation.signal.body);
        gauges = status?.gauges ?? gauges;
        converses(status?.sessionId ?? null, observation.signal.serial);
        return;
      }
      if (observation.type === "signal") {
        const hook = parseHook(observation.signal);
        // The hook of a cleared conversation is not about the next one.
        if (hook !== undefined && hook.event !== "SessionEnd") converses(hook.sessionId, hook.serial);
        if (hook?.event === "Stop" && hook.agentId === null) reply = clip(hook.message, LIMITS.lastReply);
      }
      facts = observe(facts, observation);
    },

    read: (now) => withLimit(read(facts, now), gauges),
    permissions: () => permissionsIn(mode),
    gauges: () => gauges,
    reply: () => reply,
    conversation: () => conversation?.id ?? facts.conversation,

    answer(answer) {
      const open = facts.asks.find(({ id }) => id === answer.ask);
      if (open === undefined) {
        throw new DomainError("conflict", "That was already answered, or is no longer being asked.");
      }
      return { via: "signal", body: answerBody(open, answer) };
    },

    box: boxOf,
  };
}

/** If the message doesn't say when the limit resets, the figures may. */
function withLimit(reading: ReturnType<typeof read>, gauges: Gauges | null): ReturnType<typeof read> {
  if (reading.kind !== "limited" || reading.until !== null) return reading;
  const full = [gauges?.fiveHour, gauges?.sevenDay].filter((limit) => (limit?.usedPercent ?? 0) >= 99);
  const latest = full
    .map((limit) => limit?.resetsAt ?? "")
    .toSorted()
    .at(-1);
  return latest ? { ...reading, until: latest } : reading;
}
