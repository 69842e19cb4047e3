// Keeps a person from answering what they can't have seen: an ask that appeared under a finger on its way down.

/** About what it takes to see that something changed. */
const UNSEEN_MS = 300;
const MOST = 500;

/** When each ask was first on the screen. */
const shownAt = new Map<string, number>();
let movedAt = Number.NEGATIVE_INFINITY;
let order = "";

export function noteShown(askId: string) {
  if (shownAt.has(askId)) return;
  const [oldest] = shownAt.keys();
  if (shownAt.size >= MOST && oldest !== undefined) shownAt.delete(oldest);
  shownAt.set(askId, Number.POSITIVE_INFINITY);
  // From when it is drawn, which on a busy machine may be much later.
  requestAnimationFrame(() => requestAnimationFrame(() => shownAt.set(askId, performance.now())));
}

/** When cards change places, the pointer may be over another card's button. */
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

/** Nobody has seen what came while the page was out of sight. */
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const id of shownAt.keys()) shownAt.set(id, performance.now());
});
