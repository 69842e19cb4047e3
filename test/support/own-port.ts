/** bin/test gives each file that runs beside others a range of its own. */
let next = Number(process.env.BANTO_TEST_PORTS ?? 10_000 + (process.pid % 200) * 100);

/** A free port that nobody else is given while the server that has it starts again. */
export function ownPort(): number {
  for (;;) {
    const port = next++;
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // It is taken.
    }
  }
}
