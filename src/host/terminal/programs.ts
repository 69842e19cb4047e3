// What the programs in a terminal last reported about themselves, by id.
import type { ProgramChange } from "../../vt/program-status.ts";
import type { Program } from "../protocol/messages.ts";

/** The protocol requires at least 64. */
export const MOST_PROGRAMS = 64;

export function createPrograms() {
  /** In order of their last reports. */
  const all = new Map<string, Program>();
  let serial = 0;

  function remove(isGone: (program: Program) => boolean): boolean {
    const gone = all.values().filter(isGone).toArray();
    for (const { id } of gone) all.delete(id);
    return gone.length > 0;
  }

  return {
    /** False if nothing changed. */
    apply(change: ProgramChange, at: number): boolean {
      const { id } = change;
      if (change.state === "clear")
        return remove((one) => id === "" || one.id === id || one.id.startsWith(`${id}/`));
      if (change.state === "over") return remove((one) => one.state === "working" || one.state === "blocked");
      serial += 1;
      all.delete(id);
      // Programs that die don't say so. The one that was silent for longest makes room.
      const [oldest] = all.keys();
      if (oldest !== undefined && all.size >= MOST_PROGRAMS) all.delete(oldest);
      all.set(id, { ...change, at, serial });
      return true;
    },
    list: (): Program[] => [...all.values()],
  };
}
