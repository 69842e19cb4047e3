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
