// Counts wrong tokens by where they come from, so that somebody who keeps guessing slows down only themselves.

const MOST_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
/** Beyond this the oldest are forgotten: sources can be made up, memory can't. */
const MOST_SOURCES = 1_000;

export function createFailedAttempts() {
  const sources = new Map<string, { count: number; since: number }>();

  const find = (source: string) => {
    const known = sources.get(source);
    return known !== undefined && known.since > Date.now() - MINUTE_MS ? known : undefined;
  };

  return {
    areTooMany: (source: string) => (find(source)?.count ?? 0) >= MOST_PER_MINUTE,

    note(source: string) {
      const { count, since } = find(source) ?? { count: 0, since: Date.now() };
      sources.delete(source);
      sources.set(source, { count: count + 1, since });
      for (const [oldest] of sources) {
        if (sources.size <= MOST_SOURCES) break;
        sources.delete(oldest);
      }
    },
  };
}
