export type KeyedQueue = ReturnType<typeof createKeyedQueue>;

/** Runs one thing at a time for each key, in order. */
export function createKeyedQueue() {
  const last = new Map<string, Promise<void>>();
  const idle = (key: string) => last.get(key) ?? Promise.resolve();

  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const turn = idle(key).then(work);
      // A failure is the caller's to handle. The next one runs all the same.
      const settled = turn
        .then(
          () => {},
          () => {},
        )
        .then(() => {
          if (last.get(key) === settled) last.delete(key);
        });
      last.set(key, settled);
      return turn;
    },

    isBusy: (key: string) => last.has(key),

    /** Resolves once everything queued so far is over. */
    idle,

    /** The same, for all keys. */
    allIdle: () => Promise.all(last.values()),
  };
}
