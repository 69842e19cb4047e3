// Whether the clock can be trusted to delete what has expired. After a jump it can't, because years may seem to have
// passed in a second. It is trusted again after a steady day, or when a person confirms it.

import { readFileSync } from "node:fs";

const DAY_MS = 86_400_000;

/** Before this there was no banto: a time that is earlier was written down by a clock that was not set yet. */
export const EARLIEST = "2026-01-01T00:00:00.000Z";

export interface ClockRecord {
  /** The time at the last check. */
  seenAt: number;
  /** When a jump was noticed. */
  doubtedSince: number | null;
}

/** `running`: milliseconds since the last check by a monotonic clock; null if another process made that check. */
export function judge(before: ClockRecord | undefined, now: number, running: number | null): ClockRecord {
  if (before === undefined) return { seenAt: now, doubtedSince: now };
  const jumped = Math.abs(now - before.seenAt - (running ?? 0)) > DAY_MS;
  if (jumped) return { seenAt: now, doubtedSince: now };
  const { doubtedSince } = before;
  const isSteady = doubtedSince === null || now - doubtedSince >= DAY_MS;
  return { seenAt: now, doubtedSince: isSteady ? null : doubtedSince };
}

export type SteadyClock = ReturnType<typeof createSteadyClock>;

interface ClockParts {
  file: string;
  write(content: string): void;
  /** The database has nothing yet that could expire. */
  isNew: boolean;
}

export function createSteadyClock({ file, write, isNew }: ClockParts) {
  let record = readRecord(file) ?? (isNew ? { seenAt: Date.now(), doubtedSince: null } : undefined);
  let lookedAt: number | null = null;
  const since = () => (record?.doubtedSince == null ? null : new Date(record.doubtedSince).toISOString());
  return {
    /** Checks the clock and records it. Since when it is not trusted; null if it is. */
    look(): string | null {
      const running = performance.now();
      record = judge(record, Date.now(), lookedAt === null ? null : running - lookedAt);
      lookedAt = running;
      write(JSON.stringify(record));
      return since();
    },

    /** As of the last check. */
    doubtedSince: since,

    /** A person confirms that it is right. */
    confirm(): void {
      record = { seenAt: Date.now(), doubtedSince: null };
      lookedAt = performance.now();
      write(JSON.stringify(record));
    },
  };
}

function readRecord(file: string): ClockRecord | undefined {
  try {
    const { seenAt, doubtedSince } = JSON.parse(readFileSync(file, "utf8"));
    if (!Number.isFinite(seenAt)) return undefined;
    return { seenAt, doubtedSince: Number.isFinite(doubtedSince) ? doubtedSince : null };
  } catch {
    return undefined; // never written, or truncated
  }
}
