// A run of the tests has a network of its own, so that no agent, browser or server in it can reach anything but this
// machine, and no run is in the way of another one's ports. So has it mounts: a small disk of a test ends with the run.

import { programPath } from "../programs.ts";

const INSIDE = "BANTO_TEST_NETWORK";
/** As root without a user namespace: that would change what root may do. */
const UNSHARE =
  process.getuid?.() === 0 ? ["-n", "-m"] : ["-U", "--map-current-user", "--keep-caps", "-n", "-m"];

/** A cable whose two ends are both here: with nothing but loopback, browsers take themselves for offline. */
const CONNECT = `
ip() { "$IP" "$@"; }
ip link set lo up && ip link add one type veth peer name other && ip addr add 198.51.100.1/24 dev one &&
ip link set one up && ip link set other up`;

/**
 * Runs this very command again inside, with what it found out about its arguments while it had the network, and ends
 * with its exit code. Returns inside, or where it can't be done.
 */
export async function enterOwnNetwork(args = process.argv.slice(1)): Promise<void> {
  if (process.env[INSIDE] === "own") return;
  const env = { ...process.env, [INSIDE]: "own", IP: programPath("ip") };
  const unshare = [programPath("unshare") ?? "unshare", ...UNSHARE, "sh", "-c"];
  const isAllowed = Bun.spawnSync([...unshare, CONNECT], { env }).success;
  if (!isAllowed) {
    console.log("skipped: a network of its own for the tests, which this system does not allow");
    return;
  }
  const again = [process.execPath, ...args];
  const child = Bun.spawn([...unshare, `${CONNECT} && exec "$@"`, "sh", ...again], {
    env,
    stdio: ["inherit", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  process.exit(await child.exited);
}
