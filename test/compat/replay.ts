// Lets a reader hear a recorded run again, as a server with another timing would have heard it.
import type { ActivityKind } from "../../src/contract.ts";
import type { Observation, Reader, ReaderStart } from "../../src/server/agents/reading.ts";
import type { Take } from "./trace.ts";

/** By how many milliseconds each kind of news is late, drawn anew for each. */
export interface Delays {
  hooks(): number;
  titles(): number;
  screens(): number;
  /** Of its own state. */
  reports(): number;
  notes(): number;
}

/** In milliseconds. */
export const LATEST: Record<keyof Delays, number> = {
  hooks: 60,
  titles: 250,
  screens: 250,
  reports: 150,
  notes: 150,
};

function kindOf({ type }: Observation): keyof Delays {
  if (type === "signal" || type === "over") return "hooks";
  if (type === "title") return "titles";
  if (type === "program") return "reports";
  return type === "note" ? "notes" : "screens";
}

interface Arriving {
  arrives: number;
  news: Observation;
}

/** Each kind keeps its own order; between the kinds there is none. */
function shuffled(all: Observation[], delays: Delays): Arriving[] {
  const last = new Map<string, number>();
  const arriving = all.map((news) => {
    const kind = kindOf(news);
    const arrives = Math.max(news.at + delays[kind](), last.get(kind) ?? 0);
    last.set(kind, arrives);
    // Hooks carry the host's own time; the rest is as old as its arrival.
    return { arrives, news: kind === "hooks" ? news : { ...news, at: arrives } };
  });
  return arriving.toSorted((a, b) => a.arrives - b.arrives);
}

/** A look takes a moment. A screen that was recorded by then is the one it would have seen. */
const LOOK_MS = 300;
const AFTERWARDS_MS = 30_000;

/** What is left to do after an answer may last no longer than a moment, which is told or not. */
export const withoutMoments = (history: ActivityKind[]): ActivityKind[] =>
  history.filter((kind, i) => {
    const [before, after] = [history[i - 1], history[i + 1]];
    const isAnswered = before === "question" || before === "permission";
    return !(kind === "working" && isAnswered && (after === "finished" || after === "idle"));
  });

/** Every kind of activity that would have been written down, in order. */
export function replay(
  createReader: (start: ReaderStart) => Reader,
  { start, news: all }: Pick<Take, "start" | "news">,
  delays: Delays,
): ActivityKind[] {
  const reader = createReader(start);
  const history: ActivityKind[] = [];
  let again: number | null = null;
  let screen: Extract<Observation, { type: "screen" }> | undefined;
  let hasOutput = false;
  const evaluate = (now: number) => {
    if (!hasOutput) return;
    const reading = reader.read(now);
    for (const ask of reading.release) reader.observe({ type: "over", ask, how: "released", at: now });
    if (history.at(-1) !== reading.kind) history.push(reading.kind);
    again = reading.again;
  };
  const arriving = shuffled(all, delays);
  const screens = arriving.filter(({ news }) => news.type === "screen");
  let next = 0;
  /** What is due by then, with a look at the screen as it is. */
  const passTime = (until: number) => {
    while (again !== null && again <= until) {
      const now: number = again + 1;
      again = null;
      while ((screens[next]?.arrives ?? Infinity) < now) next += 1;
      const found = screens[next];
      if (found !== undefined && found.arrives <= now + LOOK_MS) continue; // it is about to be heard
      if (screen !== undefined) reader.observe({ ...screen, at: now });
      evaluate(now);
    }
  };
  for (const { arrives, news } of arriving) {
    passTime(arrives);
    if (news.type === "output") hasOutput = true;
    if (news.type === "screen") screen = news;
    reader.observe(news);
    evaluate(arrives);
  }
  passTime((all.at(-1)?.at ?? 0) + AFTERWARDS_MS);
  return history;
}

const ON_TIME = () => 0;
const SHUFFLES = 20;
const upTo = (max: number) => () => Math.floor(Math.random() * (max + 1));

/** Does this reader come to the same, on time and in whatever order the news comes? */
export function isSteady(createReader: (start: ReaderStart) => Reader, take: Take): boolean {
  const none = { hooks: ON_TIME, titles: ON_TIME, screens: ON_TIME, reports: ON_TIME, notes: ON_TIME };
  const late = {
    ...{ hooks: upTo(LATEST.hooks), titles: upTo(LATEST.titles), screens: upTo(LATEST.screens) },
    ...{ reports: upTo(LATEST.reports), notes: upTo(LATEST.notes) },
  };
  const wanted = withoutMoments(take.history).join();
  return [none, ...Array.from({ length: SHUFFLES }, () => late)].every(
    (delays) => withoutMoments(replay(createReader, take, delays)).join() === wanted,
  );
}
