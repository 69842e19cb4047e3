import type { Log } from "../log.ts";

/** How long to wait. Asking again later gets the rest. */
const PATIENCE_MS = 500;

/**
 * Sizes of things that never change, by name. Each is measured once, one after the other, and nobody waits for long.
 */
export function createMeasures(log: Log) {
  const known = new Map<string, number | null>();
  let last: Promise<unknown> = Promise.resolve();
  const waiting = new Set<string>();

  return {
    /** undefined while it is not known. */
    get: (name: string) => known.get(name),

    async measure(wanted: Map<string, () => Promise<number | null>>): Promise<void> {
      for (const [name, measure] of wanted) {
        if (known.has(name) || waiting.has(name)) continue;
        waiting.add(name);
        last = last.then(async () => {
          try {
            known.set(name, await measure());
          } catch (error) {
            log.error(`measuring ${name}`, error);
            known.set(name, null);
          }
          waiting.delete(name);
        });
      }
      await Promise.race([last, Bun.sleep(PATIENCE_MS)]);
    },
  };
}
