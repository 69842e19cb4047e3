/** As much as the browser's generator, and so Bun's, gives at once. */
const AT_ONCE = 65_536;

/** Some of it asks the terminal something, and an answer may end in a backslash: a shell waits after it with `read -r`. */
export function randomBytes(length: number): Buffer {
  const whole = Buffer.alloc(length);
  for (let at = 0; at < whole.length; at += AT_ONCE) crypto.getRandomValues(whole.subarray(at, at + AT_ONCE));
  return whole;
}
