import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostEvent, Signal } from "../../src/host/protocol/messages.ts";
import { startHost, until } from "./support/host.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

type Said = Extract<HostEvent, { type: "signal" | "over" }>;

async function scene() {
  const dir = mkdtempSync(join(tmpdir(), "banto-signals-"));
  const file = join(dir, "inner", "settings.json");
  const drop = join(dir, "inner", "status");
  const template = '{"port":@PORT@,"secret":"@SECRET@"}';
  const host = await startHost(["sleep", "1000"], { signals: { file, template, drop } });
  const heard: Said[] = [];
  const client = await host.connect({
    event: (event) => {
      if (event.type === "signal" || event.type === "over") heard.push(event);
    },
  });
  client.subscribe();
  await client.status();
  const { port, secret } = JSON.parse(readFileSync(file, "utf8"));
  const post = (path: string, body: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/${path}`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${secret}` },
      ...(signal && { signal }),
    });
  const signal = async (name: string): Promise<Signal> => {
    const find = () => heard.find((event) => event.type === "signal" && event.signal.name === name);
    await until(() => find() !== undefined, name);
    return (find() as Extract<Said, { type: "signal" }>).signal;
  };
  return {
    ...{ host, client, heard, file, drop, port, secret, post, signal },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

test("what the program posts is answered at once, told, and the newest of each kind is kept", async () => {
  await using here = await scene();
  expect(statSync(here.file).mode & 0o777).toBe(0o600);
  for (const [name, body] of [
    ["First", "1"],
    ["Second", "2"],
    ["First", "3"],
  ] as const) {
    const answer = await here.post(`tell/${name}`, body);
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  }
  await until(() => here.heard.length === 3, "three signals");
  // Whoever comes later has missed nothing that counts.
  const late = await here.host.connect();
  const { latest, asks } = await late.signals();
  expect(latest.map(({ name, body, serial }) => [name, body, serial])).toEqual([
    ["Second", "2", 2],
    ["First", "3", 3],
  ]);
  expect(asks).toEqual([]);
  await here.post("tell/Long", "x".repeat(2_000_000));
  expect(await here.signal("Long")).toMatchObject({ body: null });
});

test("a question is held open until one of all who could answers it", async () => {
  await using here = await scene();
  const held = here.post("ask/May", "it?");
  const { ask = "" } = await here.signal("May");
  expect((await here.client.signals()).asks).toMatchObject([{ name: "May", body: "it?", ask }]);
  const other = await here.host.connect();
  const both = await Promise.all([here.client.answer(ask, '{"yes":1}'), other.answer(ask, '{"no":1}')]);
  expect(both.toSorted()).toEqual([false, true]);
  const answer = await held;
  expect(await answer.json()).toEqual(both[0] ? { yes: 1 } : { no: 1 });
  await until(() => here.heard.length === 2, "the end of it");
  expect(here.heard[1]).toEqual({ type: "over", ask, how: "answered" });
  expect(await here.client.answer(ask, "{}")).toBe(false);
});

test("a question whose asker leaves is withdrawn, and one that is let go gets an empty answer", async () => {
  await using here = await scene();
  const leaving = new AbortController();
  const held = here.post("ask/May", "1", leaving.signal).catch(() => "gone");
  const { ask } = await here.signal("May");
  leaving.abort();
  expect(await held).toBe("gone");
  await until(() => here.heard.length === 2, "the withdrawal");
  expect(here.heard[1]).toEqual({ type: "over", ask: ask ?? "", how: "withdrawn" });

  const other = here.post("ask/Might", "2");
  expect(await here.client.answer((await here.signal("Might")).ask ?? "", null)).toBe(true);
  const answer = await other;
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

test("a file that is replaced is a signal too", async () => {
  await using here = await scene();
  writeFileSync(`${here.drop}.new`, "first");
  renameSync(`${here.drop}.new`, here.drop);
  expect(await here.signal("status")).toMatchObject({ body: "first" });
  writeFileSync(`${here.drop}.new`, "second");
  renameSync(`${here.drop}.new`, here.drop);
  expect((await here.client.signals()).latest).toMatchObject([{ name: "status", body: "second" }]);
});

const NO_WATCHES = [
  "unshare",
  "-r",
  "sh",
  "-ec",
  'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"',
  "sh",
];
const { exitCode } = Bun.spawnSync([...NO_WATCHES, "true"]);

test.skipIf(exitCode !== 0)(
  "without a watch left on the system, the file is seen when somebody looks",
  () => {
    const dir = mkdtempSync(join(tmpdir(), "banto-signals-"));
    const [file, drop] = [join(dir, "settings"), join(dir, "status")];
    const script = `
    import { writeFileSync } from "node:fs";
    import { createSignals } from ${JSON.stringify(join(import.meta.dir, "../../src/host/signals.ts"))};
    const signals = createSignals(${JSON.stringify({ file, template: "", drop })}, () => {});
    writeFileSync(${JSON.stringify(drop)}, "news");
    process.stdout.write(signals.now().latest.map(({ body }) => body).join());
    signals.close();
  `;
    const { stdout, stderr } = Bun.spawnSync([...NO_WATCHES, process.execPath, "-e", script]);
    rmSync(dir, { recursive: true });
    expect([stdout.toString(), stderr.toString()]).toEqual(["news", ""]);
  },
);

test("nobody without the secret is heard, and the secret is nowhere but in the file", async () => {
  await using here = await scene();
  const url = `http://127.0.0.1:${here.port}/tell/Lie`;
  for (const authorization of ["", "Bearer ", `Bearer ${"0".repeat(64)}`, here.secret]) {
    const answer = await fetch(url, { method: "POST", body: "x", headers: { authorization } });
    expect(answer.status).toBe(403);
  }
  expect((await here.post("other/Thing", "x")).status).toBe(404);
  expect((await here.post("tell/..%2fThing", "x")).status).toBe(404);
  expect(here.heard).toEqual([]);
  const { pid, hostPid } = await here.client.status();
  for (const path of [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`, `/proc/${hostPid}/cmdline`])
    expect(readFileSync(path, "latin1")).not.toContain(here.secret);
  await until(() => existsSync(here.host.logPath), "the log");
  expect(readFileSync(here.host.logPath, "utf8")).not.toContain(here.secret);
});

test("whoever does not say who it is is hung up on, though a question may wait for as long as it takes", async () => {
  await using here = await scene();
  const held = here.post("ask/May", "1");
  const { ask = "" } = await here.signal("May");
  const head = "POST /tell/Lie HTTP/1.1\r\nHost: x\r\nContent-Length: ";
  const saying = ["", head, `${head}0\r\n\r\n`, `${head}900000\r\n\r\nhalf`];
  // Some go on, a letter at a time.
  const dripping = [`${head}900000\r\nX-Drip: `, `${head}900000\r\n\r\n`];
  await Promise.all(
    [...saying, ...dripping].map((said) => {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const socket = connect(here.port, "127.0.0.1", () => void socket.write(said));
      const drip = setInterval(() => dripping.includes(said) && socket.write("1"), 1_000);
      socket.on("close", () => resolve()).resume();
      socket.on("error", () => {});
      return closed.finally(() => clearInterval(drip));
    }),
  );
  expect(await here.client.answer(ask, "{}")).toBe(true);
  expect((await held).status).toBe(200);
});

test("a host that was asked for none listens to none", async () => {
  await using host = await startHost(["sleep", "1000"]);
  const client = await host.connect();
  expect(client.hello.hasSignals).toBe(false);
  expect(await client.signals()).toEqual({ latest: [], asks: [] });
  expect(await client.answer("x", "{}")).toBe(false);
});
