import { useSyncExternalStore } from "react";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One clock for everything that shows the same kind of time. It stops while nothing uses it. */
function createClock(period: number) {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    now: () => now,
    subscribe(listener: () => void) {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const each of listeners) each();
        }, period);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}

const slow = createClock(MINUTE / 2);
const fast = createClock(SECOND);

const STEPS: [limit: number, unit: number, suffix: string][] = [
  [HOUR, MINUTE, "m"],
  [DAY, HOUR, "h"],
  [14 * DAY, DAY, "d"],
  [365 * DAY, 7 * DAY, "w"],
];

function ago(iso: string, at: number): string {
  const age = at - Date.parse(iso);
  if (age < MINUTE) return "now";
  const step = STEPS.find(([limit]) => age < limit);
  return step === undefined ? `${Math.floor(age / (365 * DAY))}y` : `${Math.floor(age / step[1])}${step[2]}`;
}

/** `47s`, `4m`, `2h 05m`, `3d`. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)}d`;
  return `${Math.floor(ms / HOUR)}h ${String(Math.floor((ms % HOUR) / MINUTE)).padStart(2, "0")}m`;
}

const exact = (iso: string) => new Date(iso).toLocaleString();

export function Ago({ at }: { at: string }) {
  const text = useSyncExternalStore(slow.subscribe, () => ago(at, slow.now()));
  return (
    <time dateTime={at} title={exact(at)} className="tabular-nums">
      {text}
    </time>
  );
}

/** Ticks. Only this text rerenders, and only when it changes. */
export function Elapsed({ since }: { since: string }) {
  const text = useSyncExternalStore(fast.subscribe, () => duration(fast.now() - Date.parse(since)));
  return (
    <time dateTime={since} data-elapsed title={`Since ${exact(since)}`} className="tabular-nums">
      {text}
    </time>
  );
}

/** Whether that time has passed. */
export const usePassed = (iso: string | null) =>
  useSyncExternalStore(slow.subscribe, () => iso !== null && slow.now() >= Date.parse(iso));

/** A day, in the reader's own date format. */
export function OnDay({ at }: { at: string }) {
  const day = new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return (
    <time dateTime={at} title={exact(at)} className="tabular-nums">
      {day}
    </time>
  );
}
