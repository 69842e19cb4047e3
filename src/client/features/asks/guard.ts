// Keeps people from answering what they can't have seen, such as an ask that appears just as they click.

/** About how long people take to notice a change. */
const UNSEEN_MS = 300;
const MOST = 500;

/** When each ask first appeared on the screen. */
const shownAt = new Map<string, number>();
let movedAt = Number.NEGATIVE_INFINITY;
let order = "";

export function noteShown(askId: string) {
  if (shownAt.has(askId)) return;
  const [oldest] = shownAt.keys();
  if (shownAt.size >= MOST && oldest !== undefined) shownAt.delete(oldest);
  shownAt.set(askId, Number.POSITIVE_INFINITY);
  // Counts from when it is drawn, which may be much later on a busy machine.
  requestAnimationFrame(() => requestAnimationFrame(() => shownAt.set(askId, performance.now())));
}

/** When cards move, the pointer may end up over another card's button. */
export function noteOrder(ids: readonly string[]) {
  const now = ids.join();
  if (now === order) return;
  order = now;
  movedAt = performance.now();
}

export const isSeen = (askId: string) => {
  const at = shownAt.get(askId);
  return at !== undefined && performance.now() - at >= UNSEEN_MS;
};

export const isSettled = () => performance.now() - movedAt >= UNSEEN_MS;

/** Nobody has seen what appeared while the page was hidden. */
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const id of shownAt.keys()) shownAt.set(id, performance.now());
});
