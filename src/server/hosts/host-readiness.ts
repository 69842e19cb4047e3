// Viewers may come before the host of their session does: here they wait for it.

export type HostReadiness = ReturnType<typeof createHostReadiness>;

export function createHostReadiness() {
  const waiting = new Map<string, Set<() => void>>();

  return {
    /** The session's host listens now. */
    announce(sessionId: string) {
      for (const resolve of waiting.get(sessionId) ?? []) resolve();
    },

    /** Until the host listens, or it is time to look again. */
    async wait(sessionId: string, limitMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, limitMs);
      const others = waiting.get(sessionId) ?? new Set();
      waiting.set(sessionId, others.add(resolve));
      await promise;
      clearTimeout(timer);
      others.delete(resolve);
      if (others.size === 0) waiting.delete(sessionId);
    },
  };
}
