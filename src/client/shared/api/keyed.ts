const keys = new WeakMap<object, string>();

/** Not `randomUUID`: browsers offer it only on localhost and over TLS. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/**
 * Options for a request that changes something. Every attempt at one change carries the same key, so the server makes
 * it only once, even when an answer is lost. A change that takes several requests names each `step`.
 */
export function keyed(change: object, step = "") {
  const key = keys.get(change) ?? newKey();
  keys.set(change, key);
  return { headers: { "idempotency-key": `${key}${step}` } };
}
