// Which entries of the audit a person has seen. Pure.
import type { AuditEntry } from "../shared/api/rows.ts";

type Entry = Pick<AuditEntry, "id" | "taskId" | "projectId" | "action">;

export interface Seen {
  /** Every entry up to this one. */
  all: number;
  /** Of a card, or of one kind of change: up to which entry. */
  places: Record<string, number>;
}

/** Where it is told: on its card, or on the board together with others of its kind. */
export const placeOf = ({ taskId, projectId, action }: Entry) => taskId ?? `${action}:${projectId ?? ""}`;

export const isUnseen = (seen: Seen | null, entry: Entry): boolean =>
  seen !== null && entry.id > seen.all && entry.id > (seen.places[placeOf(entry)] ?? 0);

export const withSeen = ({ all, places }: Seen, entry: Entry): Seen => ({
  all,
  places: { ...places, [placeOf(entry)]: entry.id },
});

/** Says the same in fewer words. `entries`: all there are, newest first; `isTold`: the person has to see it. */
export function shortened(
  seen: Seen,
  entries: readonly AuditEntry[],
  isTold: (entry: AuditEntry) => boolean,
) {
  const oldest = entries.findLast((entry) => isTold(entry) && isUnseen(seen, entry));
  const all = Math.max(seen.all, oldest === undefined ? (entries[0]?.id ?? 0) : oldest.id - 1);
  return { all, places: Object.fromEntries(Object.entries(seen.places).filter(([, id]) => id > all)) };
}

/** Null if there is none, or it is something else. */
export function readSeen(saved: string | null): Seen | null {
  const seen = JSON.parse(saved ?? "null") as Seen | null;
  const isSeen = typeof seen?.all === "number" && typeof seen.places === "object" && seen.places !== null;
  return isSeen ? seen : null;
}
