import { expect, test } from "bun:test";
import { createEvents } from "../../../src/server/events/events.ts";
import { createLog } from "../../../src/server/log.ts";

test("a listener that fails keeps nothing from whoever published, nor from the others", () => {
  let logged = "";
  const events = createEvents({
    log: createLog((line) => {
      logged += line;
    }),
  });
  const told: unknown[] = [];
  events.subscribe(() => {
    throw new Error("the stream is closed");
  });
  events.subscribe(({ row }) => told.push(row));
  events.publish("task", "published");
  events.tell("session", "told");
  expect(told).toEqual(["published", "told"]);
  expect(logged).toContain("telling of a task: Error: the stream is closed");
});
