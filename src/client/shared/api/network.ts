const TICK_MS = 5_000;
const SLEPT_MS = 15_000;
/** Browsers let the timers of a hidden page run once a minute. */
const SLEPT_HIDDEN_MS = 120_000;

/** Tells when the machine has slept: the clock went on but the timers didn't. Returns how to stop. */
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

/** Tells when connections may be dead without saying so. Returns how to stop. */
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
