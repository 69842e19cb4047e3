const tails = new Map<string, Promise<unknown>>();

/** One at a time per key, in the order of asking. */
export async function withLock<T>(key: string, act: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(act, act);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
