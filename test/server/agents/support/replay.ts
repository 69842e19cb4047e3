// Replays what was recorded of a real run, as a server with another timing would have heard it.
import type { ActivityKind } from "../../../../src/contract.ts";
import type { Screen } from "../../../../src/host/protocol/messages.ts";
import { noFacts, observe } from "../../../../src/server/agents/claude/facts.ts";
import { read } from "../../../../src/server/agents/claude/state.ts";
import type { Observation } from "../../../../src/server/agents/reading.ts";

type Drawn = { type: "screen"; at: number; quiet: boolean; cursor: Screen["cursor"]; screen: number };

export interface Trace {
  name: string;
  /** What the board said of it. */
  history: ActivityKind[];
  /** Each text that was on the screen, once. */
  screens: string[];
  news: (Exclude<Observation, { type: "screen" }> | Drawn)[];
}

/** By how many milliseconds each kind of news is late, drawn anew for each. */
export interface Delays {
  hooks(): number;
  titles(): number;
  screens(): number;
  /** Of its own state. */
  reports(): number;
  notes(): number;
}

function kindOf({ type }: Observation): keyof Delays {
  if (type === "signal" || type === "over") return "hooks";
  if (type === "title") return "titles";
  if (type === "program") return "reports";
  return type === "note" ? "notes" : "screens";
}

function toNews(trace: Trace, one: Trace["news"][number]): Observation {
  if (one.type !== "screen") return one;
  const { at, quiet, cursor } = one;
  const text = trace.screens[one.screen] ?? "";
  const screen = {
    text,
    cols: 120,
    rows: 40,
    cursor,
    alternate: false,
    bracketedPaste: true,
    title: "",
    cwd: "/",
  };
  return { type: "screen", at, quiet, screen };
}

/** Each kind keeps its own order; between the kinds there is none. */
function shuffled(trace: Trace, delays: Delays): { arrives: number; news: Observation }[] {
  const last = new Map<string, number>();
  const arriving = trace.news.map((one) => {
    const news = toNews(trace, one);
    const kind = kindOf(news);
    const arrives = Math.max(news.at + delays[kind](), last.get(kind) ?? 0);
    last.set(kind, arrives);
    // Hooks carry the host's own time; the rest is as old as its arrival.
    return { arrives, news: kind === "hooks" ? news : { ...news, at: arrives } };
  });
  return arriving.toSorted((a, b) => a.arrives - b.arrives);
}

/** Every kind of activity that would have been written down, in order. */
export function replay(trace: Trace, delays: Delays): ActivityKind[] {
  let facts = noFacts({ prompted: true, note: null, at: 0 });
  let again: number | null = null;
  let screen: Observation | undefined;
  const history: ActivityKind[] = [];
  const evaluate = (now: number) => {
    const reading = read(facts, now);
    for (const ask of reading.release)
      facts = observe(facts, { type: "over", ask, how: "released", at: now });
    if (history.at(-1) !== reading.kind) history.push(reading.kind);
    again = reading.again;
  };
  /** What is due by then, with a look at the screen as it is. */
  const passTime = (until: number) => {
    while (again !== null && again <= until) {
      const now: number = again + 1;
      again = null;
      if (screen !== undefined) facts = observe(facts, { ...screen, at: now });
      evaluate(now);
    }
  };
  for (const { arrives, news } of shuffled(trace, delays)) {
    passTime(arrives);
    if (news.type === "screen") screen = news;
    facts = observe(facts, news);
    evaluate(arrives);
  }
  passTime((trace.news.at(-1)?.at ?? 0) + 30_000);
  return history;
}
