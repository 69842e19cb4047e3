import { useSyncExternalStore } from "react";

const MINUTE = 60_000;

/** One clock for every relative time on the page. */
let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, MINUTE / 2);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const STEPS: [limit: number, unit: number, suffix: string][] = [
  [60 * MINUTE, MINUTE, "m"],
  [24 * 60 * MINUTE, 60 * MINUTE, "h"],
  [14 * 24 * 60 * MINUTE, 24 * 60 * MINUTE, "d"],
  [365 * 24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE, "w"],
];

function ago(iso: string, at: number): string {
  const age = at - Date.parse(iso);
  if (age < MINUTE) return "now";
  const step = STEPS.find(([limit]) => age < limit);
  return step === undefined
    ? `${Math.floor(age / (365 * 24 * 60 * MINUTE))}y`
    : `${Math.floor(age / step[1])}${step[2]}`;
}

export function Ago({ at }: { at: string }) {
  const text = useSyncExternalStore(subscribe, () => ago(at, now));
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="tabular-nums">
      {text}
    </time>
  );
}
