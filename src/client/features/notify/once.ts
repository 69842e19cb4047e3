// Several windows of one browser learn of the same need. Exactly one of them notifies the person.

import { connection } from "../../shared/api/live.ts";

const LOOKED_AT = "banto.looked-at";
const TELLING = "banto.telling";
const TOLD_KEY = "banto.told";
const KEPT = 100;
const HELD_MS = 60_000;

/** Undefined unless the page is on localhost or behind TLS. */
const locks: LockManager | undefined = navigator.locks;

let release: (() => void) | undefined;

/** The window a person is looking at holds a lock, as long as it is connected. */
function noteFocus() {
  const isLooking = document.hasFocus() && connection.get() === "live";
  if (isLooking === (release !== undefined)) return;
  if (isLooking) {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    void locks?.request(LOOKED_AT, () => promise);
  } else {
    release?.();
    release = undefined;
  }
}

export function watchFocus() {
  window.addEventListener("focus", noteFocus);
  window.addEventListener("blur", noteFocus);
  document.addEventListener("visibilitychange", noteFocus);
  connection.subscribe(noteFocus);
  noteFocus();
}

/** Whether a person is looking at another window. Then that one decides. */
export async function isAnotherLookedAt(): Promise<boolean> {
  if (document.hasFocus()) return false;
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name === LOOKED_AT);
}

/**
 * True for the first caller in any window. A lock decides. It is held until every window has seen the stored list,
 * which takes a moment in other processes.
 */
export async function claim(key: string): Promise<boolean> {
  if (locks === undefined) return take(key);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  void locks.request(`${TELLING}:${key}`, { ifAvailable: true }, (lock) => {
    const isFirst = lock !== null && take(key);
    resolve(isFirst);
    return isFirst ? new Promise<void>((done) => setTimeout(done, HELD_MS)) : undefined;
  });
  return promise;
}

function take(key: string): boolean {
  const told: string[] = JSON.parse(localStorage.getItem(TOLD_KEY) ?? "[]");
  if (told.includes(key)) return false;
  localStorage.setItem(TOLD_KEY, JSON.stringify([...told, key].slice(-KEPT)));
  return true;
}
