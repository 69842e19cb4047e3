const TICK_MS = 5_000;
const SLEPT_MS = 15_000;
/** Browsers let the timers of a hidden page run once a minute. */
const SLEPT_HIDDEN_MS = 120_000;

/** Calls back when the machine has slept: the clock moved on but timers didn't. Returns a function that stops it. */
export function watchWake(tell: () => void): () => void {
  let last = Date.now();
  let wasHidden = document.hidden;
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > (wasHidden ? SLEPT_HIDDEN_MS : SLEPT_MS)) tell();
    last = now;
    wasHidden = document.hidden;
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** Calls back when connections may be dead without having closed. Returns a function that stops it. */
export function watchNetwork({ onBack, onAway }: { onBack(): void; onAway(): void }): () => void {
  window.addEventListener("online", onBack);
  window.addEventListener("offline", onAway);
  const stopWake = watchWake(onBack);
  return () => {
    window.removeEventListener("online", onBack);
    window.removeEventListener("offline", onAway);
    stopWake();
  };
}
