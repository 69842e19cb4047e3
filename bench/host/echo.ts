// A key pressed, its echo seen: a bare terminal here, against viewer, socket and host.
import { startHost } from "../../test/host/support/host.ts";
import { quantile, type Row } from "../row.ts";

const KEYS = 2_000;

async function press(send: () => void, arrival: { next(): Promise<void> }): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < KEYS; i++) {
    const echoed = arrival.next();
    const started = performance.now();
    send();
    await echoed;
    times.push(performance.now() - started);
  }
  return times;
}

function arrivals() {
  let resolve = () => {};
  return {
    arrived: () => resolve(),
    next: () =>
      new Promise<void>((done) => {
        resolve = done;
      }),
  };
}

export async function echo(): Promise<Row[]> {
  const here = arrivals();
  const child = Bun.spawn(["sh", "-c", "stty raw -echo; exec cat"], {
    terminal: { cols: 80, rows: 24, data: () => here.arrived() },
  });
  await Bun.sleep(200);
  const bare = await press(() => child.terminal?.write("x"), here);
  child.kill();
  await child.exited;
  child.terminal?.close();

  await using host = await startHost(["sh", "-c", "stty raw -echo; exec cat"]);
  const there = arrivals();
  const client = await host.connect({ output: () => there.arrived() });
  client.attach();
  await Bun.sleep(200);
  const hosted = await press(() => client.send("x"), there);
  return [0.5, 0.99].flatMap((fraction) => {
    const name = `echo p${fraction * 100}`;
    const plain = quantile(bare, fraction);
    const value = quantile(hosted, fraction);
    return [
      { name: `${name}: bare terminal`, value: plain, unit: "ms" },
      { name: `${name}: host and socket`, value, unit: "ms", ratio: value / plain },
    ];
  });
}
