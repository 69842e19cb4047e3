import { expect, test } from "bun:test";
import type { Channel, ChannelSession, Note } from "../../../../src/server/agents/channel.ts";
import { createRunDir } from "../../../../src/server/hosts/run-dir.ts";
import { createChannels } from "../../../../src/server/sessions/observe/channels.ts";
import { tempDir } from "../../../support/temp.ts";

const SESSION = { taskId: "task", sessionId: "session" };
const AGES_AGO = { pid: 42, startedAt: "2026-01-01T10:00:00.000Z" };

function scene(channel: Partial<Channel> | Error = {}) {
  const folder = tempDir("channels");
  const opened: ChannelSession[] = [];
  const told: Note[] = [];
  const failures: unknown[] = [];
  let closed = 0;
  let tell = (_: Note) => {};
  const task = {
    ...{ sessionId: "session", agent: "claude", agentSessionId: "conversation", worktreePath: "/work" },
    ...{ projectId: "p", agentOptions: { model: "small" } },
  };
  const channels = createChannels({
    agents: {
      openChannel(name, session, say) {
        expect(name).toBe("claude");
        opened.push(session);
        tell = say;
        if (channel instanceof Error) throw channel;
        return { ...channel, close: () => void closed++ };
      },
    },
    rows: { find: () => task, project: () => ({ agentOptions: { model: "big", configDir: "/c" } }) } as never,
    runDir: createRunDir(folder.path),
    told: (session, note) => {
      expect(session).toEqual(SESSION);
      told.push(note);
    },
    failed: (error) => failures.push(error),
  });
  return {
    ...{ channels, opened, told, failures, task, folder },
    closed: () => closed,
    tell: (note: Note) => tell(note),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test("a channel is opened once, is told whose it is, and says no more once it is closed", async () => {
  using here = scene();
  await here.channels.open(SESSION, AGES_AGO);
  await here.channels.open(SESSION, AGES_AGO);
  expect(here.opened).toEqual([
    {
      ...{ sessionId: "session", agentSessionId: "conversation", cwd: "/work", pid: 42 },
      options: { model: "small", configDir: "/c" },
      signalFolder: `${here.folder.path}/session.signals`,
    },
  ]);
  here.tell({ source: "file", body: { status: "idle" } });
  here.channels.close("session");
  here.tell({ source: "file", body: { status: "busy" } });
  expect(here.told).toEqual([{ source: "file", body: { status: "idle" } }]);
  expect([here.closed(), here.channels.of("session")]).toEqual([1, undefined]);
});

test("of an agent from before this server, what its channel knew is waited for; of a new one it is not", async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  using here = scene({ ready });
  await here.channels.open(SESSION, { ...AGES_AGO, startedAt: new Date(Date.now() + 1).toISOString() });
  let isOpen = false;
  const open = here.channels.open(SESSION, AGES_AGO).then(() => {
    isOpen = true;
  });
  await Bun.sleep(0);
  expect(isOpen).toBe(false);
  resolve();
  await open;
});

test("one that can't be opened, or takes too long, costs nothing else", async () => {
  using broken = scene(new Error("no such file"));
  await broken.channels.open(SESSION, AGES_AGO);
  expect(String(broken.failures)).toContain("no such file");
  using slow = scene({ ready: new Promise(() => {}) });
  await slow.channels.open(SESSION, AGES_AGO);
  expect(String(slow.failures)).toContain("no answer");
  slow.channels.dispose();
  expect(slow.closed()).toBe(1);
});

test("none is opened for a task that has another session by now", async () => {
  using here = scene();
  here.task.sessionId = "another";
  await here.channels.open(SESSION, AGES_AGO);
  expect(here.opened).toEqual([]);
});
