const TICK_MS = 5_000;
const SLEPT_MS = 15_000;
/** Browsers let a page that is not seen tick once a minute. */
const SLEPT_UNSEEN_MS = 120_000;

/** Tells when the machine has slept: the clock has gone on without us. Gives how to stop. */
export function watchWake(tell: () => void): () => void {
  let last = Date.now();
  let wasUnseen = document.hidden;
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > (wasUnseen ? SLEPT_UNSEEN_MS : SLEPT_MS)) tell();
    last = now;
    wasUnseen = document.hidden;
  }, TICK_MS);
  return () => clearInterval(timer);
}
