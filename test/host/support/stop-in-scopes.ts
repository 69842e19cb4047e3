// Run where a systemd is: starts every escape in a scope of its own, stops it, and prints what came of that.

import { ESCAPES, isAlive, pidFrom, stopEscaped } from "./escapes.ts";
import { startHost } from "./host.ts";

export interface InScopes {
  escapes: Record<string, { isScoped: boolean; tookMs: number; left: readonly unknown[] }>;
  /** That they go on. */
  strangers: boolean[];
}

const start = (...command: string[]) => Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"] }).pid;

await using other = await startHost(["sh", "-c", "echo $$ > pid; exec sleep 5000"]);
const strangers = [
  await pidFrom(other),
  start("sleep", "5000"),
  start("systemd-run", "--user", "--scope", "--quiet", "sleep", "5000"),
  start("env", "-i", "setsid", "sleep", "5000"),
];
const escapes = Object.entries(ESCAPES).map(async ([name, script]) => {
  await using host = await startHost(["sh", "-c", script]);
  const { tookMs, pids, known, children } = await stopEscaped(host);
  return [name, { isScoped: host.scoped, tookMs, left: [...pids, ...known, ...children] }] as const;
});
const found: InScopes = {
  escapes: Object.fromEntries(await Promise.all(escapes)),
  strangers: strangers.map(isAlive),
};
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exit(0); // the strangers end with the machine
