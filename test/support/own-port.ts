/** Below those that the system gives to whoever asks for any port. */
const FIRST = 20_000;
const LAST = 32_700;
/** Test files run side by side, each in a process of its own. */
let next = FIRST + ((process.pid * 50) % (LAST - FIRST));

/** A free port that nobody else is given while a server that has it is being started again. */
export function ownPort(): number {
  for (;;) {
    const port = next;
    next = next === LAST ? FIRST : next + 1;
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // taken
    }
  }
}
