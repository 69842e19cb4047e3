// A host runs the code it was started with to its end, whatever becomes of the checkout it came from.
import { expect, test } from "bun:test";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyCheckout } from "../support/checkout.ts";
import { startHost, type TestHost } from "../support/host.ts";
import { watch } from "../support/watcher.ts";

/** Its mirror's worker fails once when the file `fail` is there. */
function failingCheckout() {
  const checkout = copyCheckout();
  const { path } = checkout;
  const order = join(path, "fail");
  const receive = "function receive(message: ToWorker): void {";
  checkout.edit(
    "src/host/mirror/worker.ts",
    receive,
    `import { rmSync, statSync } from "node:fs";
    function failWhenTold() {
      if (!statSync("${order}", { throwIfNoEntry: false })) return;
      rmSync("${order}");
      throw new Error("told to fail");
    }
    ${receive} failWhenTold();`,
  );
  return {
    ...checkout,
    failOnce: () => writeFileSync(order, ""),
    overwrite() {
      for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }))
        if (!name.startsWith(".tools/") && statSync(join(path, name)).isFile())
          writeFileSync(join(path, name), "an update that breaks everything");
    },
    empty() {
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
    },
  };
}

async function snapshotOf(host: TestHost): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const client = await host.connect({ snapshot: (bytes) => resolve(Buffer.from(bytes).toString()) });
  client.attach({ snapshot: true });
  return promise;
}

const PAINT = String.raw`printf '\033]2;at work\a'; seq 1 500; printf '\033[31mred \033[44mon blue\033[m\r\n'; cat`;

test.each(["overwrite", "empty"] as const)(
  "a mirror is replaced by its like after an update: %s",
  async (update) => {
    using checkout = failingCheckout();
    await using host = await startHost(["sh", "-c", PAINT], {}, await checkout.launch());
    const viewer = await watch(host);
    await viewer.sees("on blue");
    const screen = await viewer.client.screen();
    expect(screen.title).toBe("at work");
    expect(screen.text).toContain("\n500\nred on blue");
    const snapshot = await snapshotOf(host);

    checkout[update]();
    checkout.failOnce();
    expect(await viewer.client.screen()).toEqual(screen);
    expect((await viewer.client.status()).mirrorRestarts).toBe(1);
    expect(await snapshotOf(host)).toBe(snapshot);

    viewer.client.send("it goes on\r");
    await viewer.when((w) => w.text().split("it goes on").length > 2, "the line and its echo");
    expect((await viewer.client.screen()).text).toContain("it goes on");
  },
);
