export type Lanes = ReturnType<typeof createLanes>;

/** One thing at a time for each key, in the order of asking. */
export function createLanes() {
  const last = new Map<string, Promise<void>>();

  return {
    enter(key: string, work: () => Promise<void>): Promise<void> {
      const turn = (last.get(key) ?? Promise.resolve()).then(work);
      // A failure is its asker's to handle; whoever is next goes on all the same.
      const settled = turn
        .catch(() => {})
        .then(() => {
          if (last.get(key) === settled) last.delete(key);
        });
      last.set(key, settled);
      return turn;
    },

    isBusy: (key: string) => last.has(key),

    /** Once everything asked for so far is over. */
    idle: (key: string): Promise<void> => last.get(key) ?? Promise.resolve(),
  };
}
