import { expect, test } from "bun:test";
import { CLOSE } from "../../../src/contract.ts";
import { createEvents } from "../../../src/server/events/events.ts";
import { type Line, listen, MAX_QUEUED_BYTES } from "../../../src/server/events/listen.ts";
import { createLog } from "../../../src/server/log.ts";

test("whoever has too much waiting is let go with a code that says so, and told nothing more", () => {
  const events = createEvents({ log: createLog(() => {}) });
  const sent: string[] = [];
  const ends: number[] = [];
  let queued = 0;
  const line: Line = {
    format: ({ type }) => type,
    send: (text) => sent.push(text),
    queued: () => queued,
    end: (code) => ends.push(code),
  };
  listen(events, { after: events.lastId(), isWelcome: () => true, onSignOut: () => () => {} }, line);
  events.publish("task", {});
  queued = MAX_QUEUED_BYTES;
  events.publish("task", {});
  queued = 0;
  events.publish("project", {});
  expect({ sent, ends }).toEqual({ sent: ["task"], ends: [CLOSE.tooSlow] });
});
