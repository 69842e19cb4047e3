const keys = new WeakMap<object, string>();

/** Not `randomUUID`, which browsers have on this machine and behind TLS only. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/**
 * Options for a request that changes something. Every try of one change carries the same key, so that the server does
 * it once, also when an answer got lost. A change of several requests names each `step`.
 */
export function keyed(change: object, step = "") {
  const key = keys.get(change) ?? newKey();
  keys.set(change, key);
  return { headers: { "idempotency-key": `${key}${step}` } };
}
