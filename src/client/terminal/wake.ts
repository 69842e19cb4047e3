const TICK_MS = 5_000;

/** Tells when the machine has slept: the clock has gone on without us. Gives how to stop. */
export function watchWake(tell: () => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > 3 * TICK_MS) tell();
    last = now;
  }, TICK_MS);
  return () => clearInterval(timer);
}
