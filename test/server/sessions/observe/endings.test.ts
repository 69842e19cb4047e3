import { expect, test } from "bun:test";
import { createRunDir } from "../../../../src/server/hosts/run-dir.ts";
import { createLog } from "../../../../src/server/log.ts";
import { createEndings } from "../../../../src/server/sessions/observe/endings.ts";
import { tempDir } from "../../../support/temp.ts";

const SESSION = { taskId: "task", sessionId: "session" };
const RECORD = { code: 0, signal: null, endedAt: "2026-01-01T00:00:00.000Z", hung: false };

test("a session that ends by itself while it is being stopped is stopped", async () => {
  using folder = tempDir("endings");
  const told = Promise.withResolvers<void>();
  const written: string[] = [];
  let isClosed = false;
  const host = {
    status: () => told.promise.then(() => ({ record: RECORD })),
    collect() {},
  };
  const parts = {
    rows: { report: () => written.push("ended") },
    runDir: createRunDir(folder.path),
    watch: {
      host: () => (isClosed ? undefined : host),
      // As a watcher: closed, it never answers.
      end: () => new Promise(() => {}),
      close: () => {
        isClosed = true;
      },
    },
    readings: { gauges: () => null, reply: () => null, stop() {}, forget() {} },
    channels: { close() {} },
    log: createLog(() => {}),
    checkpoint() {},
  };
  const endings = createEndings(parts as never);
  const ended = endings.ended(SESSION);
  const stopped = endings.stop(SESSION);
  told.resolve();
  await Promise.all([ended, stopped]);
  expect(written).toEqual(["ended"]);
});
