// Coming late to a session whose 1 MiB ring has wrapped: until the screen is complete.
import { startHost } from "../../test/host/support/host.ts";
import { quantile, type Row } from "../row.ts";

const VISITS = 100;

export async function attach(): Promise<Row[]> {
  const script =
    "seq 1 400000; printf '\\033[31mcoloured\\033[0m\\r\\n'; while read line; do echo $line; done";
  await using host = await startHost(["sh", "-c", script], { cols: 120, rows: 40 });
  const typist = await host.connect();
  // Only then is what is typed echoed beside nothing else.
  while (!(await typist.screen()).text.includes("coloured")) await Bun.sleep(20);
  const visit = async () => {
    const live = Promise.withResolvers<void>();
    const client = await host.connect({ live: () => live.resolve() });
    const started = performance.now();
    client.attach();
    await live.promise;
    const elapsed = performance.now() - started;
    client.close();
    return elapsed;
  };
  const fresh: number[] = [];
  const again: number[] = [];
  for (let i = 0; i < VISITS; i++) {
    // Something new, so that the snapshot has to be made.
    typist.send(`line-${i}\r`);
    while (!(await typist.screen()).text.includes(`line-${i}\nline-${i}`));
    fresh.push(await visit());
    again.push(await visit());
  }
  return [
    { name: "attach to a wrapped session p50", value: quantile(fresh, 0.5), unit: "ms" },
    { name: "attach to a wrapped session p99", value: quantile(fresh, 0.99), unit: "ms" },
    { name: "attach once more, nothing new, p50", value: quantile(again, 0.5), unit: "ms" },
  ];
}
