// Viewers may come before the host of their session does: here they wait for it.

export type Arrivals = ReturnType<typeof createArrivals>;

export function createArrivals() {
  const waiting = new Map<string, Set<() => void>>();

  return {
    /** The session's host listens now. */
    announce(sessionId: string) {
      for (const go of waiting.get(sessionId) ?? []) go();
    },

    /** Until that is said, or it is time to look again. */
    async next(sessionId: string, patienceMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      const others = waiting.get(sessionId) ?? new Set();
      waiting.set(sessionId, others.add(resolve));
      await promise;
      clearTimeout(timer);
      others.delete(resolve);
      if (others.size === 0) waiting.delete(sessionId);
    },
  };
}
