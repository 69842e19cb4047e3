// Ports for the tests of a run, below those that the system gives out. Runs beside each other keep apart: each holds
// its block by listening at the first of it until it ends.

const FIRST = 10_000;
const LAST = 32_000;
const PER_LANE = 100;

/** The first port of a lane's own. */
export function claimPorts(lanes: number): (lane: number) => number {
  const block = lanes * PER_LANE + 1;
  for (let first = FIRST; first + block <= LAST; first += block)
    if (holds(first)) return (lane) => first + 1 + lane * PER_LANE;
  throw new Error(`every block of ports from ${FIRST} to ${LAST} is held by another run of the tests`);
}

function holds(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).unref();
    return true;
  } catch {
    return false;
  }
}
