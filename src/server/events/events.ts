import type { BoardEvent } from "../../contract.ts";
import { newId } from "../ids.ts";
import type { Log } from "../log.ts";

export type Events = ReturnType<typeof createEvents>;

const KEPT = 1_000;

/** Sends every change, in order, to all listeners, and the last thousand again to those that reconnect. */
export function createEvents({ log }: { log: Log }) {
  const boot = newId();
  const listeners = new Set<(event: BoardEvent) => void>();
  const kept: BoardEvent[] = [];
  let count = 0;

  const deliver = (event: BoardEvent) => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error(`telling of a ${event.type}`, error); // the change has happened all the same
      }
    }
  };

  return {
    publish(type: BoardEvent["type"], row: unknown) {
      count += 1;
      const event = { id: `${boot}-${count}`, type, row };
      kept.push(event);
      if (kept.length > KEPT) kept.shift();
      deliver(event);
    },

    /** For what is only true for a moment, such as a screen. It is not repeated: clients fetch it after a reconnect. */
    tell: (type: BoardEvent["type"], row: unknown) => deliver({ type, row }),

    subscribe(listener: (event: BoardEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** The events after `id`, or undefined if they are no longer kept and the client has to fetch everything again. */
    since(id: string): BoardEvent[] | undefined {
      if (id === `${boot}-${count}`) return [];
      const index = kept.findIndex((event) => event.id === id);
      const isJustBefore = kept[0] !== undefined && id === `${boot}-${count - kept.length}`;
      if (isJustBefore) return [...kept];
      return index === -1 ? undefined : kept.slice(index + 1);
    },

    lastId: () => `${boot}-${count}`,
  };
}
