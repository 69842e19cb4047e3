// Which of Claude Code's state files is a session's own, and what is told of it.
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProcess } from "../../../src/host/processes/processes.ts";
import type { Note } from "../../../src/server/agents/channel.ts";
import { followStateFile } from "../../../src/server/agents/claude/state-file.ts";
import { until } from "../../host/support/host.ts";
import { tempDir } from "../../support/temp.ts";

/** A process that has started another one, in place of a setup command and Claude. */
async function family() {
  const child = Bun.spawn(["sh", "-c", "sleep 1000 & echo $!; wait"], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const below = Number(Buffer.from(value ?? []).toString());
  return {
    pid: child.pid,
    below,
    [Symbol.dispose]() {
      process.kill(below, "SIGKILL");
      child.kill("SIGKILL");
    },
  };
}

/** A config directory, and what is told of it. */
function scene() {
  const dir = tempDir("state-file");
  const sessions = join(dir.path, "sessions");
  const notes: unknown[] = [];
  const pathOf = (pid: number) => join(sessions, `${pid}.json`);
  let close = () => {};
  return {
    notes,
    follow(pid: number, agentSessionId = "mine") {
      const tell = ({ body }: Note) => notes.push(body);
      close = followStateFile(dir.path, { pid, agentSessionId }, tell).close;
    },
    write(pid: number, said: object) {
      mkdirSync(sessions, { recursive: true });
      const procStart = readProcess(pid)?.startTime;
      writeFileSync(pathOf(pid), JSON.stringify({ pid, procStart, ...said }));
    },
    writeRaw: (pid: number, text: string) => writeFileSync(pathOf(pid), text),
    remove: (pid: number) => rmSync(pathOf(pid)),
    told: (more: object) => until(() => Bun.deepMatch(more, notes.at(-1) ?? {}), JSON.stringify(more)),
    [Symbol.dispose]() {
      close();
      dir[Symbol.dispose]();
    },
  };
}

test("one that never becomes readable says nothing", async () => {
  using processes = await family();
  using it = scene();
  it.write(processes.pid, { status: "idle" });
  it.follow(processes.pid);
  it.writeRaw(processes.pid, '{"status":');
  await until(() => it.notes.length === 2, "that it says nothing");
  expect(it.notes.at(-1)).toBeNull();
  it.write(processes.pid, { status: "busy" });
  await it.told({ status: "busy" });
});

test("what is there is told at once, and every change of it, until it is gone", async () => {
  using processes = await family();
  using it = scene();
  it.write(processes.pid, { status: "idle" });
  it.follow(processes.pid);
  expect(it.notes).toMatchObject([{ status: "idle" }]);
  it.write(processes.pid, { status: "busy" });
  await it.told({ status: "busy" });
  it.remove(processes.pid);
  await until(() => it.notes.at(-1) === null, "that it is gone");
  it.write(processes.pid, { status: "idle" });
  await it.told({ status: "idle" });
});

test("one that comes later is found, in a folder that was not there", async () => {
  using processes = await family();
  using it = scene();
  it.follow(processes.pid);
  expect(it.notes).toEqual([]);
  it.write(processes.pid, { status: "idle" });
  await it.told({ status: "idle" });
});

test("one that is half written is read again", async () => {
  using processes = await family();
  using it = scene();
  it.write(processes.pid, { status: "idle" });
  it.follow(processes.pid);
  it.writeRaw(processes.pid, '{"status":"bu');
  it.write(processes.pid, { status: "busy" });
  await it.told({ status: "busy" });
  expect(it.notes).toMatchObject([{ status: "idle" }, { status: "busy" }]);
});

test("below a setup command it is found, and no other session's is taken for it", async () => {
  using processes = await family();
  using others = await family();
  using it = scene();
  it.write(others.pid, { status: "busy", sessionId: "mine" });
  it.write(processes.below, { status: "idle", sessionId: "mine" });
  it.follow(processes.pid);
  expect(it.notes).toMatchObject([{ status: "idle", pid: processes.below }]);
});

test("one that another process of the same id has left is not believed", async () => {
  using processes = await family();
  using it = scene();
  it.write(processes.pid, { status: "busy", procStart: "1" });
  it.follow(processes.pid);
  expect(it.notes).toEqual([]);
});
