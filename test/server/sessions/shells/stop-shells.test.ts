// What the session runner relies on when a worktree is about to leave its place.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { connectHost } from "../../../../src/host/client/connect.ts";
import { launchHost } from "../../../../src/host/client/launch.ts";
import { readProcess } from "../../../../src/host/processes/processes.ts";
import { readClaim } from "../../../../src/host/protocol/claim.ts";
import { DomainError } from "../../../../src/server/errors.ts";
import { createEvents } from "../../../../src/server/events/events.ts";
import { createRunDir, type RunDir } from "../../../../src/server/hosts/run-dir.ts";
import { createLog } from "../../../../src/server/log.ts";
import type { ShellRow } from "../../../../src/server/sessions/shells/shell.ts";
import { createShells } from "../../../../src/server/sessions/shells/shells.ts";
import { olderCheckout } from "../../../host/support/checkout.ts";
import { baseEnvironment, until } from "../../../host/support/host.ts";
import { tempDir } from "../../../support/temp.ts";

interface Given {
  runDir?: RunDir;
  launch?: typeof launchHost;
}

function setUp({ runDir: before, launch = launchHost }: Given = {}) {
  const temp = tempDir("shells");
  const runDir = before ?? createRunDir(join(temp.path, "run"));
  const state = { hasWorktree: true, launched: (_id: string) => {} };
  const events = createEvents({ log: createLog(() => {}) });
  const shells = createShells({
    runDir,
    events,
    log: createLog(() => {}),
    requireWorktree() {
      if (!state.hasWorktree) throw new DomainError("conflict", "The worktree is gone.");
    },
    async launch(_taskId, sessionId) {
      const size = { cols: 80, rows: 24 };
      const paths = runDir.hostPaths(sessionId);
      await launch({
        sessionId,
        argv: ["sh"],
        cwd: temp.path,
        env: baseEnvironment(temp.path),
        ...size,
        ...paths,
      });
      state.launched(sessionId);
    },
  });
  return {
    shells,
    state,
    runDir,
    files: () => readdirSync(runDir.path),
    /** Waits for an event about a shell. */
    async told(fits: (row: ShellRow) => boolean | undefined, what: string) {
      let isTold = false;
      const stop = events.subscribe(({ row }) => {
        isTold ||= fits(row as ShellRow) === true;
      });
      await until(() => isTold, what, 40_000);
      stop();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(["a", "b"].map(shells.stopShells));
      temp[Symbol.dispose]();
    },
  };
}

const isAlive = (pid: number | null) => !["Z", undefined].includes(readProcess(pid ?? 0)?.state);

test("stopping a task's shells ends all of them, one that is just being started too, and no other task's", async () => {
  await using test = setUp();
  const { shells } = test;
  const first = await shells.create("a");
  const other = await shells.create("b");
  const coming = shells.create("a");
  await shells.stopShells("a");
  expect(await shells.list("a")).toEqual([]);
  expect([isAlive(first.pid), isAlive((await coming).pid), isAlive(other.pid)]).toEqual([false, false, true]);
  expect((await shells.list("b")).map(({ id }) => id)).toEqual([other.id]);
  expect(test.files().every((name) => name.startsWith(other.id))).toBe(true);
});

test("a shell whose worktree has gone while it was being started is taken back", async () => {
  await using test = setUp();
  const { shells, state } = test;
  state.launched = () => {
    state.hasWorktree = false;
  };
  const refused = shells.create("a").catch((error: Error) => error.message);
  await shells.stopShells("a");
  expect(await refused).toBe("The worktree is gone.");
  expect(await shells.list("a")).toEqual([]);
  expect(test.files()).toEqual([]);
});

test("a shell that can't be reached as soon as it runs is waited for", async () => {
  await using test = setUp();
  const { shells, state, runDir } = test;
  state.launched = (id) => {
    const { socket } = runDir.files(id);
    renameSync(socket, `${socket}.away`);
    setTimeout(() => renameSync(`${socket}.away`, socket), 100);
  };
  const { id, pid } = await shells.create("a");
  expect(await shells.list("a")).toMatchObject([{ id, pid }]);
});

test("one that can't be reached at all is refused, and nothing of it is left", async () => {
  await using test = setUp();
  const { shells, state, runDir } = test;
  let host = 0;
  state.launched = (id) => {
    host = readClaim(runDir.files(id).claim)?.pid ?? 0;
    process.kill(host, "SIGKILL");
  };
  await expect(shells.create("a")).rejects.toThrow(DomainError);
  expect(isAlive(host)).toBe(false);
  expect(test.files()).toEqual([]);
});

/** Less than it takes to find out that a host does not answer. */
const START_MS = 4_000;

test("a server that starts leaves a shell alone whose host is frozen, and has it back when that goes on", async () => {
  await using test = setUp();
  const { id, pid } = await test.shells.create("a");
  const host = readClaim(test.runDir.files(id).claim)?.pid ?? 0;
  process.kill(host, "SIGSTOP");
  await using later = setUp({ runDir: test.runDir });
  const began = performance.now();
  await later.shells.recover();
  expect(performance.now() - began).toBeLessThan(START_MS);
  const row = async () => (await later.shells.list("a"))[0];
  expect(await row()).toMatchObject({ id, name: "Shell 1", pid: null, exit: null });
  await later.told(({ trouble }) => trouble?.includes("isn't answering"), "the trouble");
  expect([isAlive(host), isAlive(pid)]).toEqual([true, true]);
  process.kill(host, "SIGCONT");
  await later.told(({ trouble }) => trouble === null, "the end of it");
  expect(await row()).toMatchObject({ id, pid, trouble: null, exit: null });
}, 60_000);

test("a shell whose host freezes while it is watched says so, and nothing of it is ended", async () => {
  await using test = setUp();
  const { id, pid } = await test.shells.create("a");
  const host = readClaim(test.runDir.files(id).claim)?.pid ?? 0;
  process.kill(host, "SIGSTOP");
  await test.told(({ trouble }) => trouble?.includes("isn't answering"), "the trouble");
  expect([isAlive(host), isAlive(pid)]).toEqual([true, true]);
  process.kill(host, "SIGCONT");
  await test.told(({ trouble }) => trouble === null, "the end of it");
}, 60_000);

test("a shell of another version of banto goes on, says so, and can be closed", async () => {
  using older = olderCheckout();
  await using test = setUp({ launch: await older.launch() });
  const { id, pid, trouble } = await test.shells.create("a");
  expect({ pid, trouble }).toEqual({ pid: null, trouble: expect.stringContaining("runs an older banto") });
  await using later = setUp({ runDir: test.runDir });
  await later.shells.recover();
  expect(await later.shells.list("a")).toMatchObject([{ id, trouble }]);
  const host = readClaim(test.runDir.files(id).claim)?.pid ?? 0;
  expect(isAlive(host)).toBe(true);
  await later.shells.stopShells("a");
  await until(() => !isAlive(host), "the host to end");
  expect(test.files()).toEqual([]);
}, 60_000);

/** Takes the place of a shell's socket. The first connection it drops, the others it passes on. */
function standBefore(socket: string) {
  const behind = `${socket}.real`;
  renameSync(socket, behind);
  const seen: Socket[] = [];
  let unheard: string | undefined;
  const relay = createServer((near) => {
    if (seen.push(near) === 1) {
      near.destroy();
      return;
    }
    const far = connect(behind);
    for (const end of [near, far]) end.on("error", () => {}); // the other one has been broken
    far.pipe(near);
    near.on("close", () => far.destroy());
    near.on("data", (chunk) => {
      if (unheard === undefined || !chunk.includes(unheard)) far.write(chunk);
      else {
        unheard = undefined;
        near.destroy();
      }
    });
  }).listen(socket);
  return {
    connections: () => seen.length,
    break: () => seen.at(-1)?.destroy(),
    /** Once, and the word does not arrive. */
    breakAt(word: string) {
      unheard = word;
    },
    [Symbol.dispose]: () => void relay.close(),
  };
}

/** A shell that the given server started long ago, and the one after it, which reaches it through a relay. */
async function oldShell(before: ReturnType<typeof setUp>) {
  const { id, pid } = await before.shells.create("a");
  const { socket, shell } = before.runDir.files(id);
  utimesSync(shell, 0, 0);
  const later = setUp({ runDir: before.runDir });
  const relay = standBefore(socket);
  await later.shells.recover();
  return { id, pid, later, relay };
}

test("a shell whose connection breaks while it lives is found again, and ends with its task", async () => {
  await using test = setUp();
  const { id, pid, ...old } = await oldShell(test);
  await using later = old.later;
  using relay = old.relay;
  expect(relay.connections()).toBe(2);
  relay.break();
  await until(() => relay.connections() === 3, "another connection");
  expect(await later.shells.list("a")).toMatchObject([{ id, pid, exit: null }]);
  relay.break();
  await later.shells.stopShells("a");
  expect(isAlive(pid)).toBe(false);
  expect(await later.shells.list("a")).toEqual([]);
});

test("a shell whose connection breaks as it is told to end is told so again", async () => {
  await using test = setUp();
  const { pid, ...old } = await oldShell(test);
  await using later = old.later;
  using relay = old.relay;
  relay.breakAt("SIGHUP");
  await later.shells.stopShells("a");
  expect(isAlive(pid)).toBe(false);
  expect(await later.shells.list("a")).toEqual([]);
});

test("what a shell had started ends with it, also when its host is killed", async () => {
  await using test = setUp();
  const { shells, runDir } = test;
  const { id, pid } = await shells.create("a");
  const host = await connectHost(runDir.files(id).socket);
  const child = join(runDir.path, "child");
  host.send(`setsid sh -c 'echo $$ > ${child}.new; mv ${child}.new ${child}; exec sleep 5000' &\r`);
  await until(() => existsSync(child), "the child");
  const childPid = Number(readFileSync(child, "utf8"));
  process.kill(host.hello.hostPid, "SIGKILL");
  await until(() => !existsSync(runDir.files(id).shell), "the shell to be forgotten");
  expect([isAlive(pid), isAlive(childPid)]).toEqual([false, false]);
  expect(await shells.list("a")).toEqual([]);
  rmSync(child);
});

test("somebody who does not read does not keep a shell from being closed", async () => {
  await using test = setUp();
  const { shells, runDir } = test;
  const { id, pid } = await shells.create("a");
  const reader = await connectHost(runDir.files(id).socket);
  reader.attach();
  reader.send("head -c 4000000 /dev/zero\r");
  reader.pause();
  const asking = await connectHost(runDir.files(id).socket);
  while ((await asking.status()).offset < 4_000_000) await Bun.sleep(10);
  asking.close();
  await shells.stopShells("a");
  expect(isAlive(pid)).toBe(false);
  await until(() => test.files().length === 0, "the shell to be forgotten");
  expect(await shells.list("a")).toEqual([]);
  reader.close();
  await until(() => !isAlive(reader.hello.hostPid), "the host to go");
});

test("a shell whose host hangs is ended with it, also if it throws its environment away when the line goes", async () => {
  await using test = setUp();
  const { id, pid } = await test.shells.create("a");
  const { socket, claim } = test.runDir.files(id);
  const typist = await connectHost(socket);
  const ready = join(test.runDir.path, "..", "ready");
  const daemon = join(test.runDir.path, "..", "daemon");
  typist.send(`(env -i setsid sh -c 'echo $$ > ${daemon}; exec sleep 5000' &)\r`);
  typist.send(`exec sh -c 'trap "exec env -i sleep 5000" HUP; : > ${ready}; while :; do sleep 0.05; done'\r`);
  await until(() => existsSync(ready) && existsSync(daemon) && statSync(daemon).size > 0, "trap and daemon");
  const daemonPid = Number(readFileSync(daemon, "utf8"));
  const host = readClaim(claim)?.pid ?? 0;
  process.kill(host, "SIGSTOP");
  await test.shells.stopShells("a");
  expect([isAlive(host), isAlive(pid), isAlive(daemonPid)]).toEqual([false, false, false]);
  expect(test.files()).toEqual([]);
}, 60_000);
