export type KeyedQueue = ReturnType<typeof createKeyedQueue>;

/** One thing at a time for each key, in the order of asking. */
export function createKeyedQueue() {
  const last = new Map<string, Promise<void>>();
  const idle = (key: string) => last.get(key) ?? Promise.resolve();

  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const turn = idle(key).then(work);
      // A failure is its asker's to handle; whoever is next goes on all the same.
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

    /** Once everything asked for so far is over. */
    idle,

    /** The same, for all keys. */
    allIdle: () => Promise.all(last.values()),
  };
}
