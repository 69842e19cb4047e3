/** Remembers results of `make`. At the limit it forgets them all. */
export function createCache<K, V>(limit: number, make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= limit) made.clear();
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
