// Ten hosts flooding at once: how evenly the machine is shared between them.
import type { HostClient } from "../../src/host/client/connect.ts";
import { startHost } from "../../test/host/support/host.ts";
import type { Row } from "../row.ts";

const HOSTS = 10;
const SECONDS = 4;

export async function fairness(): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const clients: HostClient[] = [];
  for (let i = 0; i < HOSTS; i++) {
    const host = stack.use(
      await startHost(["sh", "-c", "read go; exec yes all work and no play makes a dull terminal"]),
    );
    clients.push(await host.connect());
  }
  for (const client of clients) client.send("\n");
  const offsets = () => Promise.all(clients.map(async (client) => (await client.status()).offset));
  await Bun.sleep(500);
  const before = await offsets();
  const started = performance.now();
  await Bun.sleep(SECONDS * 1_000);
  const after = await offsets();
  const seconds = (performance.now() - started) / 1_000;
  const rates = after.map((offset, i) => (offset - (before[i] ?? 0)) / 1e6 / seconds);
  const sum = rates.reduce((a, b) => a + b, 0);
  const squares = rates.reduce((a, b) => a + b * b, 0);
  return [
    { name: `${HOSTS} floods at once, together`, value: sum, unit: "MB/s" },
    {
      name: "slowest against fastest",
      value: Math.min(...rates) / Math.max(...rates),
      unit: "",
      target: "≥ 0.5",
    },
    {
      name: "Jain's fairness index (1 is equal)",
      value: (sum * sum) / (HOSTS * squares),
      unit: "",
      target: "≥ 0.95",
    },
  ];
}
