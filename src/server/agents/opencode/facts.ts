// What is known about a session of OpenCode: what its plugin tells, what the host holds, and what the screen shows. Pure.
import { type Gauges, LIMITS } from "../../../contract.ts";
import { clip } from "../ask-text.ts";
import type { Observation, ReaderStart } from "../reading.ts";
import type { OpenAsk } from "./ask.ts";
import { gaugesOf } from "./gauges.ts";
import { parseBody, parseReport, type Report } from "./report.ts";
import { type Look, lookAt } from "./screen.ts";

export interface Facts extends ReaderStart {
  report: Report | null;
  /** Held open by the host, oldest first. */
  asks: OpenAsk[];
  /** What is on the screen, when it was last seen, and since when it has looked like this. */
  screen: { look: Look; at: number; since: number } | null;
  gauges: Gauges | null;
  reply: string | null;
}

export const noFacts = (start: ReaderStart): Facts => ({
  ...start,
  ...{ report: null, asks: [], screen: null, gauges: null, reply: null },
});

export function observe(facts: Facts, observation: Observation): Facts {
  const { at } = observation;
  switch (observation.type) {
    case "screen": {
      const { screen: before } = facts;
      const look = lookAt(observation.screen);
      const isSame = JSON.stringify(before?.look) === JSON.stringify(look);
      return { ...facts, screen: { look, at, since: before !== null && isSame ? before.since : at } };
    }
    case "over":
      return { ...facts, asks: facts.asks.filter(({ id }) => id !== observation.ask) };
    case "signal":
      return withSignal(facts, observation.signal);
    default:
      return facts;
  }
}

function withSignal(facts: Facts, signal: Extract<Observation, { type: "signal" }>["signal"]): Facts {
  const { name, at, body, ask } = signal;
  if (ask !== undefined) {
    const kind = name === "question" ? "question" : "permission";
    if (facts.asks.some(({ id }) => id === ask)) return facts;
    return { ...facts, asks: [...facts.asks, { id: ask, at, kind, said: parseBody(body) }] };
  }
  const report = parseReport(body);
  if (report === undefined) return facts;
  const { status, finish, error } = report;
  const isEnd = status === "idle" && finish === "stop" && error === null;
  const reply = isEnd ? clip(report.reply, LIMITS.lastReply) : facts.reply;
  return { ...facts, report, gauges: gaugesOf(report), reply };
}
