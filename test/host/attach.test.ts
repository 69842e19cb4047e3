import { expect, test } from "bun:test";
import { startHost } from "./support/host.ts";
import { watch } from "./support/watcher.ts";

test("a viewer sees what the program prints, then how it ended, in that order", async () => {
  await using host = await startHost(["sh", "-c", "printf 'hello '; printf world; exit 3"]);
  const viewer = await watch(host);
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect(viewer.text()).toBe("hello world");
  expect(viewer.exits).toEqual([{ code: 3, signal: null }]);
  expect(viewer.order.at(-1)).toBe("exit");
  expect(viewer.order.slice(0, 1)).toEqual(["attached"]);
});

test("what is typed reaches the program and its answer comes back", async () => {
  await using host = await startHost(["sh", "-c", "read line; echo you said $line; cat"]);
  const viewer = await watch(host);
  viewer.client.send("good morning\r");
  await viewer.sees("you said good morning");
});

test("a snapshot is announced with its length, at the start and after falling behind", async () => {
  await using host = await startHost(["sh", "-c", "seq 100000; echo ready; read go; seq 2000000; cat"], {
    bufferSize: 65_536,
  });
  const snapshots: number[] = [];
  const announced: number[] = [];
  const { promise: live, resolve: onLive } = Promise.withResolvers<void>();
  const { promise: again, resolve: onAgain } = Promise.withResolvers<void>();
  const first = await watch(host);
  await first.sees("ready");
  const client = await host.connect({
    attached: ({ snapshotBytes }) => void announced.push(snapshotBytes),
    resync: ({ snapshotBytes }) => void announced.push(snapshotBytes),
    live: () => onLive(),
    snapshot(bytes) {
      if (snapshots.push(bytes.length) === 2) onAgain();
    },
  });
  client.attach();
  await live;
  client.pause();
  client.send("\n");
  while ((await first.client.status()).offset < 14_000_000) await Bun.sleep(10);
  client.resume();
  await again;
  expect(snapshots[0]).toBeGreaterThan(0);
  expect(announced).toEqual(snapshots);
});

test("a viewer whose emulator broke on the output gets the state instead, though all of the output is there", async () => {
  await using host = await startHost(["sh", "-c", "echo gone; printf '\\033cstill here'; cat"]);
  const first = await watch(host);
  await first.sees("still here");
  const second = await watch(host, { snapshot: true });
  await second.sees("still here");
  expect(second.attached[0]?.replay).toBe("snapshot");
  expect(second.text()).not.toContain("gone");
});
