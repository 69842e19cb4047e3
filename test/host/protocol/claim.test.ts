// One session id, one program: however many hosts are started for it, and however late.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHost } from "../../../src/host/client/connect.ts";
import { launchHost } from "../../../src/host/client/launch.ts";
import { readProcess } from "../../../src/host/processes/processes.ts";
import {
  claimPathFor,
  findHolder,
  isHeld,
  isSuspended,
  readClaim,
  takeClaim,
} from "../../../src/host/protocol/claim.ts";
import { LaunchError } from "../../../src/host/protocol/launch-error.ts";
import { tempDir } from "../../support/temp.ts";
import { hostRequest, startHost, until } from "../support/host.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

const LAUNCHES = 20;
const KILLS = 12;

async function end(socketPath: string, hostPid: number) {
  const client = await connectHost(socketPath);
  await client.stop();
  client.collect();
  await until(() => readProcess(hostPid) === undefined, "the host to go");
}

test("of twenty hosts started at once for one session, one runs the program and the others say that it is taken", async () => {
  using dir = tempDir("claim");
  const request = hostRequest(dir.path, ["sh", "-c", "echo $$ >> started; exec cat"]);
  const outcomes = await Promise.allSettled(Array.from({ length: LAUNCHES }, () => launchHost(request)));
  const won = outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value);
  const lost = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  expect(won).toHaveLength(1);
  expect(lost.map((error) => error instanceof LaunchError && error.reason)).toEqual(
    Array.from({ length: LAUNCHES - 1 }, () => "taken"),
  );
  const started = join(dir.path, "started");
  await until(() => existsSync(started) && readFileSync(started, "utf8").endsWith("\n"), "the program");
  expect(readFileSync(started, "utf8")).toBe(`${won[0]?.pid}\n`);

  const claim = claimPathFor(request.socketPath);
  expect(readClaim(claim)?.pid).toBe(won[0]?.hostPid ?? 0);
  expect(statSync(claim).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir.path).filter((name) => name.startsWith("host.claim"))).toEqual(["host.claim"]);
  await end(request.socketPath, won[0]?.hostPid ?? 0);
});

test("a session that has ended stays taken", async () => {
  using dir = tempDir("claim");
  const request = hostRequest(dir.path, ["true"]);
  const { hostPid } = await launchHost(request);
  await end(request.socketPath, hostPid);
  await expect(launchHost(request)).rejects.toThrow(/started already/);
});

test("a server that has given a session up keeps a late host from starting it", async () => {
  using dir = tempDir("claim");
  const request = hostRequest(dir.path, ["sh", "-c", "touch ran"]);
  const claim = claimPathFor(request.socketPath);
  expect(takeClaim(claim)).toBe(true);
  expect(takeClaim(claim)).toBe(false);
  const error = await launchHost(request).catch((thrown: unknown) => thrown);
  expect((error as LaunchError).reason).toBe("taken");
  expect(existsSync(join(dir.path, "ran"))).toBe(false);
  expect(readClaim(claim)).toEqual({
    pid: process.pid,
    startTime: readProcess(process.pid)?.startTime ?? "",
  });
});

test("a program that could not be started leaves the session free for another attempt", async () => {
  using dir = tempDir("claim");
  const program = join(dir.path, "later");
  const request = hostRequest(dir.path, [program]);
  await expect(launchHost(request)).rejects.toThrow(/was not found/);
  expect(existsSync(claimPathFor(request.socketPath))).toBe(false);
  writeFileSync(program, "#!/bin/sh\nexec cat\n", { mode: 0o755 });
  const { hostPid } = await launchHost(request);
  await end(request.socketPath, hostPid);
});

test("a claim that a power cut left empty is taken, and held by nobody", () => {
  using dir = tempDir("claim");
  const path = join(dir.path, "a.claim");
  writeFileSync(path, "");
  expect(takeClaim(path)).toBe(false);
  expect(isHeld(path)).toBe(false);
  expect(findHolder(path)).toBeUndefined();
});

test("a host that is killed holds it no more when its connections close, though it is there for another moment", async () => {
  for (let i = 0; i < KILLS; i += 1) {
    await using host = await startHost(["cat"]);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await host.connect({ closed: resolve });
    process.kill(host.hostPid, "SIGKILL");
    await closed;
    expect(isHeld(claimPathFor(host.socketPath))).toBe(false);
  }
});

test("a holder that is suspended is told from one that waits", async () => {
  using dir = tempDir("claim");
  await using sleeper = Bun.spawn(["sleep", "1000"]);
  const [path, state] = [join(dir.path, "claim"), () => readProcess(sleeper.pid)?.state];
  writeFileSync(path, JSON.stringify({ pid: sleeper.pid, startTime: readProcess(sleeper.pid)?.startTime }));
  await until(() => state() === "S", "the sleep");
  expect(isSuspended(path)).toBe(false);
  sleeper.kill("SIGSTOP");
  await until(() => state() === "T", "the stop");
  expect(isSuspended(path)).toBe(true);
  sleeper.kill("SIGCONT");
  await until(() => state() === "S", "the sleep");
  expect(isSuspended(path)).toBe(false);
  sleeper.kill("SIGKILL");
  await sleeper.exited;
  expect(isSuspended(path)).toBe(false);
});
