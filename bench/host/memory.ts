// What an idle host with its mirror costs, when several are running.
import { readFileSync } from "node:fs";
import { startHost } from "../../test/host/support/host.ts";
import { median, type Row } from "../row.ts";

const HOSTS = 5;

function memoryOf(pid: number): { resident: number; own: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(rollup)?.[1]);
  return {
    resident: kilobytes("Rss") / 1_024,
    own: (kilobytes("Private_Clean") + kilobytes("Private_Dirty")) / 1_024,
  };
}

export async function memory(): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const hosts = [];
  for (let i = 0; i < HOSTS; i++) {
    const host = stack.use(await startHost(["sh", "-c", "seq 1 500; exec cat"], { cols: 120, rows: 40 }));
    await (await host.connect()).screen();
    hosts.push(host);
  }
  await Bun.sleep(2_000);
  const idle = hosts.map((host) => memoryOf(host.hostPid));
  for (const host of hosts) {
    const live = Promise.withResolvers<void>();
    const client = await host.connect({ live: () => live.resolve() });
    client.attach();
    await live.promise;
  }
  const watched = hosts.map((host) => memoryOf(host.hostPid));
  return [
    {
      name: "idle host, resident",
      value: median(idle.map((m) => m.resident)),
      unit: "MB",
      target: "≤ 50 MB",
    },
    {
      name: `idle host, private, ${HOSTS} running`,
      value: median(idle.map((m) => m.own)),
      unit: "MB",
      target: "≤ 20 MB",
    },
    { name: "watched host, resident", value: median(watched.map((m) => m.resident)), unit: "MB" },
    { name: "watched host, private", value: median(watched.map((m) => m.own)), unit: "MB" },
  ];
}
