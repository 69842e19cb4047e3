import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_WAYS } from "../support/events.ts";
import { followLink } from "../support/login.ts";
import { environment, type Finished, ROOT, run, runServer, UNPRIVILEGED } from "../support/program.ts";
import { TestServer } from "../support/server.ts";
import { SessionBoard } from "../support/sessions.ts";
import { tempDir } from "../support/temp.ts";

/** It ended by itself, and one line said why and what to do. */
const expectOneLine = (answer: Finished, ...says: (string | RegExp)[]) => expectEnd(1, answer, says);

/** The same, for a variable that has a bad value. */
const expectBadValue = (answer: Finished, ...says: (string | RegExp)[]) => expectEnd(2, answer, says);

function expectEnd(wanted: number, { code, stdout, stderr }: Finished, says: (string | RegExp)[]) {
  expect({ code, stdout }).toEqual({ code: wanted, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^banto: /)]);
  for (const text of says) expect(stderr).toMatch(text);
}

describe("starting", () => {
  test("prints the address it really listens on, and the login link", async () => {
    await using server = await TestServer.startShipped({ BANTO_PORT: "0" });
    expect(server.output).toMatch(
      /^banto ready http:\/\/127\.0\.0\.1:(\d+)\/\nlog in: http:\/\/127\.0\.0\.1:\1\/login\?code=\w+\n$/,
    );
    expect(server.port).toBeGreaterThan(0);
    expect((await server.get("/api/health")).status).toBe(200);
  });

  test("works on the address of IPv6 and under the name localhost", async () => {
    await using six = await TestServer.startShipped({ BANTO_HOST: "::1" });
    expect(six.url).toMatch(/^http:\/\/\[::1\]:\d+\/$/);
    expect((await six.get("/api/tasks")).status).toBe(200);
    await using named = await TestServer.startShipped({ BANTO_HOST: "localhost" });
    expect((await named.get("/api/tasks")).status).toBe(200);
  });

  test("makes the data directory and its parents, for its owner only", async () => {
    using home = tempDir("home");
    const dataDir = join(home.path, "a", "b", "data");
    await using server = await TestServer.startShipped({ BANTO_DATA_DIR: dataDir });
    expect(statSync(server.dataDir).mode & 0o777).toBe(0o700);
  });

  test("on a port that is taken says so", async () => {
    await using other = await TestServer.startShipped();
    using home = tempDir("home");
    const answer = await runServer(environment(home.path, { BANTO_PORT: String(other.port) }));
    expectOneLine(answer, `127.0.0.1:${other.port} is taken`, "BANTO_PORT");
  });

  test("on an address this machine does not have says so", async () => {
    using home = tempDir("home");
    for (const host of ["no-such-host.invalid", "192.0.2.1"]) {
      const answer = await runServer(environment(home.path, { BANTO_HOST: host, BANTO_INSECURE_BIND: "1" }));
      expectBadValue(answer, host, "BANTO_HOST");
    }
  });

  test("in a data directory that can't be made or written says so", async () => {
    using home = tempDir("home");
    writeFileSync(join(home.path, "file"), "");
    for (const path of [
      join(home.path, "file"),
      join(home.path, "file", "data"),
      "/proc/banto",
      "/dev/null",
    ]) {
      const answer = await runServer(environment(home.path, { BANTO_DATA_DIR: path }));
      expectBadValue(answer, path, "BANTO_DATA_DIR");
    }
  });

  test("in a directory that others live in says how to close it, and changes nothing", async () => {
    using home = tempDir("home");
    const path = join(home.path, "data");
    mkdirSync(path);
    writeFileSync(join(path, "somebody's"), "");
    for (const mode of [0o755, 0o770, 0o701]) {
      chmodSync(path, mode);
      expectBadValue(await runServer(environment(home.path)), `chmod 700 '${path}'`, "BANTO_DATA_DIR");
      expect(statSync(path).mode & 0o777).toBe(mode);
      expect(readdirSync(path)).toEqual(["somebody's"]);
    }
  });

  test("in a directory that was made for it closes it to others, and its own too", async () => {
    using home = tempDir("home");
    const path = join(home.path, "made-for-it");
    mkdirSync(path, { mode: 0o755 });
    await using server = await TestServer.startShipped({ BANTO_DATA_DIR: path });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    await server.kill("SIGTERM");
    chmodSync(path, 0o755);
    await server.restart();
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test("on a database that is none says so and leaves it as it is", async () => {
    using home = tempDir("home");
    const env = environment(home.path);
    mkdirSync(join(home.path, "data"), { mode: 0o700 });
    const database = join(home.path, "data", "banto.db");
    writeFileSync(database, "this is not a database, but it may be dear to someone".repeat(100));
    expectOneLine(await runServer(env), database, "BANTO_DATA_DIR");
    expect(await Bun.file(database).text()).toStartWith("this is not a database");
  });
});

test("a file of its data that it may not read is named, and not the port", async () => {
  await using server = await TestServer.startShipped();
  await server.kill("SIGTERM");
  const token = join(server.dataDir, "token");
  chmodSync(token, 0o000);
  const command = [...UNPRIVILEGED, process.execPath, join(ROOT, "src/server/main.ts")];
  expectOneLine(await run(command, environment(server.home)), token, "EACCES", "BANTO_DATA_DIR");
});

describe("a second server on the same data", () => {
  test("refuses to start, names the first, and leaves it alone", async () => {
    await using first = await TestServer.startShipped();
    const answer = await runServer(environment(first.home));
    expectOneLine(answer, /another banto \(process \d+, http:\/\/127\.0\.0\.1:\d+\/\)/, "BANTO_DATA_DIR");
    expect(answer.stderr).toContain(first.url);
    expect((await first.get("/api/tasks")).status).toBe(200);
  });

  test("starts once the first was killed", async () => {
    await using server = await TestServer.startShipped();
    await server.kill("SIGKILL");
    await server.restart();
    expect((await server.get("/api/tasks")).status).toBe(200);
  });

  test.each([1, 2, 3])("is refused when five start at once: exactly one wins (round %d)", async () => {
    using home = tempDir("home");
    const shared = { BANTO_DATA_DIR: join(home.path, "data") };
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => TestServer.startShipped(shared)));
    const winners = starts.filter((start) => start.status === "fulfilled");
    const losers = starts.filter((start) => start.status === "rejected");
    for (const { value } of winners) await value[Symbol.asyncDispose]();
    expect(winners.length).toBe(1);
    for (const { reason } of losers) expect(String(reason)).toContain("another banto");
  });
});

test("goes on where nothing can be written to its log", async () => {
  await using board = await SessionBoard.startShipped({}, ["sh", "-c", 'exec "$@" 2>/dev/full', "sh"]);
  for (let session = 0; session < 3; session += 1) {
    const { id } = await board.addTask("exit 0");
    await board.act(id, "start");
    await board.ended(id); // which is logged
  }
  expect((await board.server.get("/api/health")).status).toBe(200);
});

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "on %s ends with 0, though clients are attached",
    async (signal) => {
      await using server = await TestServer.startShipped();
      const ways = Array.from({ length: 5 }, () => EVENT_WAYS).flat();
      const readers = await Promise.all(ways.map((way) => server.events(undefined, way)));
      await Promise.all(readers.map((reader) => reader.next()));
      const late = Bun.sleep(5_000).then(() => "it took more than five seconds");
      expect(await Promise.race([server.kill(signal), late])).toBe(0);
      const ends = await Promise.allSettled(readers.map((reader) => reader.next()));
      expect(ends.filter((end) => end.status === "fulfilled" && end.value !== undefined)).toEqual([]);
      expect(readdirSync(server.dataDir).sort()).toEqual([
        "banto.db",
        "clock.json",
        "files",
        "identity.json",
        "lock",
        "run",
        "token",
        "trash",
        "worktrees",
      ]);
    },
  );

  test("twice is the same as once", async () => {
    await using server = await TestServer.startShipped();
    process.kill(server.pid, "SIGTERM");
    process.kill(server.pid, "SIGINT");
    expect(await server.kill("SIGTERM")).toBe(0);
  });
});

describe("the command line", () => {
  test.each(["serve", "login now", "--verbose", "", "--help login"])(
    "refuses the arguments %j with its usage and exit 2",
    async (args) => {
      using home = tempDir("home");
      const { code, stdout, stderr } = await runServer(environment(home.path), ...args.split(" "));
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^banto: unknown arguments: .*\nusage: banto/);
    },
  );

  test("tells its usage and its version", async () => {
    using home = tempDir("home");
    const { version } = await import("../../package.json");
    expect(await runServer(environment(home.path), "--version")).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    expect((await runServer(environment(home.path), "--help")).stdout).toStartWith("usage: banto");
  });

  test("login prints a fresh link that works once", async () => {
    await using server = await TestServer.startShipped();
    const { code, stdout } = await runServer(environment(server.home), "login");
    expect(code).toBe(0);
    expect(stdout.trim()).toStartWith(`${server.url}login?code=`);
    expect((await followLink(server, stdout.trim())).status).toBe(200);
    expect((await followLink(server, stdout.trim())).status).toBe(401);
  });

  test("login asks the server itself, whatever proxy is set", async () => {
    await using server = await TestServer.startShipped();
    const proxy = { http_proxy: "http://127.0.0.1:9/" };
    const { stdout } = await runServer(environment(server.home, proxy), "login");
    expect(stdout).toStartWith(`${server.url}login?code=`);
  });

  test("login says so when no server runs, whether one ran before or not", async () => {
    using home = tempDir("home");
    expectOneLine(await runServer(environment(home.path), "login"), "no banto is running", "bin/banto");
    await using server = await TestServer.startShipped();
    await server.kill("SIGKILL");
    expectOneLine(await runServer(environment(server.home), "login"), "no banto is running", "bin/banto");
  });

  test("login keeps the token from whoever has the address of a server that was killed", async () => {
    await using server = await TestServer.startShipped();
    const { port } = server;
    await server.kill("SIGKILL");
    const received: string[] = [];
    await using _stranger = Bun.serve({
      port,
      hostname: "127.0.0.1",
      fetch({ url, headers }) {
        received.push(`${url} ${headers.get("authorization")}`);
        return Response.json({ url });
      },
    });
    expectOneLine(await runServer(environment(server.home), "login"), "no banto is running", "bin/banto");
    expect(received).toEqual([]);
  });
});
