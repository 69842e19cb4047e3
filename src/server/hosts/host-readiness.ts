// Lets viewers wait for their session's host, which may start after they connect.

export type HostReadiness = ReturnType<typeof createHostReadiness>;

export function createHostReadiness() {
  const waiting = new Map<string, Set<() => void>>();

  return {
    /** The session's host is listening now. */
    announce(sessionId: string) {
      for (const resolve of waiting.get(sessionId) ?? []) resolve();
    },

    /** Resolves when the host listens, or when it is time to check again. */
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
