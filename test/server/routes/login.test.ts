import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CLOSE } from "../../../src/contract.ts";
import type { AuditEntry } from "../../../src/server/audit/audit.ts";
import { expectFailure } from "../../support/board.ts";
import { EVENT_WAYS, EventReader } from "../../support/events.ts";
import { type BrowserLogin, followLink, loginOf, newLink, signIn } from "../../support/login.ts";
import { TestRepository } from "../../support/repository.ts";
import { TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.startHere();
});
afterAll(() => server[Symbol.asyncDispose]());

const statusWith = async (on: TestServer, { headers }: BrowserLogin) =>
  (await on.get("/api/tasks", { anonymous: true, headers })).status;

describe("the login link", () => {
  test("that is printed at the start signs a browser in", async () => {
    await using own = await TestServer.start();
    const answer = await followLink(own, own.loginLink);
    expect(answer.status).toBe(200);
    expect(await statusWith(own, loginOf(answer))).toBe(200);
  });

  test("works once", async () => {
    const link = await newLink(server);
    const answers = await Promise.all(Array.from({ length: 5 }, () => followLink(server, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const refused = answers.find(({ status }) => status === 401);
    expect(refused?.headers.get("set-cookie")).toBeNull();
    expect(refused?.body).toEqual({
      error: { code: "unauthenticated", message: "That is not a valid login code or token." },
    } as never);
  });

  test("is not used up by what only opens it, such as a preview: that gets the page, and no cookie", async () => {
    const link = await newLink(server);
    const path = link.slice(new URL(link).origin.length);
    for (const method of ["HEAD", "GET"]) {
      const { status, headers } = await server.request(method, path, { anonymous: true });
      expect({
        method,
        status,
        cookie: headers.get("set-cookie"),
        cache: headers.get("cache-control"),
      }).toEqual({
        method,
        status: 200,
        cookie: null,
        cache: "no-store",
      });
    }
    expect((await followLink(server, link)).status).toBe(200);
  });

  test("works also while others try wrong codes", async () => {
    await using own = await TestServer.start();
    for (let attempt = 0; attempt < 25; attempt += 1) {
      expect((await followLink(own, `http://x/login?code=wrong${attempt}`)).status).toBe(401);
    }
    expect((await followLink(own, own.loginLink)).status).toBe(200);
  });

  test("leaves another link as it is when it is used", async () => {
    const [first, second] = [await newLink(server), await newLink(server)];
    expect((await followLink(server, first)).status).toBe(200);
    expect((await followLink(server, second)).status).toBe(200);
  });

  test("is spent by a browser that is signed in, which keeps the login it has", async () => {
    const login = await signIn(server);
    const link = await newLink(server);
    const again = await followLink(server, link, login.headers);
    expect({ status: again.status, cookie: again.headers.get("set-cookie") }).toEqual({
      status: 204,
      cookie: null,
    });
    expect((await followLink(server, link)).status).toBe(401);
    expect(await statusWith(server, login)).toBe(200);
  });

  test("gives a browser that has half a login a new one", async () => {
    const { cookie } = await signIn(server);
    const answer = await followLink(server, await newLink(server), { cookie });
    expect(await statusWith(server, loginOf(answer))).toBe(200);
  });

  test.each(EVENT_WAYS)("is told, when it is followed, to all who listen by event %s", async (way) => {
    using events = await server.events(undefined, way);
    const agent = "Mozilla/5.0 (Android 16; Mobile; rv:151.0) Gecko/151.0 Firefox/151.0";
    await followLink(server, await newLink(server), { "user-agent": agent });
    const isTold = ({ type }: { type: string }) => type === "audit";
    const told = (await events.until(isTold)).at(-1)?.data as unknown as AuditEntry;
    expect(told).toMatchObject({
      action: "sign_in",
      who: { by: "browser", name: "Firefox on Android", login: expect.stringMatching(/^[0-9a-f]{12}$/) },
      detail: { from: null },
    });
    expect(server.output).toContain("signed in: Firefox on Android, from this machine");
    await server.request("POST", "/login", { anonymous: true, body: { token: server.token } });
    expect((await events.until(isTold)).at(-1)?.data).toMatchObject({ detail: { from: null } });
    const [last, ...before] = (await server.get<AuditEntry[]>("/api/audit?action=sign_in")).body;
    expect(before).toContainEqual(told);
    const older = (await server.get<AuditEntry[]>(`/api/audit?action=sign_in&before=${last?.id}&limit=1`))
      .body;
    expect(older).toEqual(before.slice(0, 1));
  });

  test("is told with the time it ends", async () => {
    const { status, body } = await server.post<{ url: string; expiresAt: string }>("/api/login-links");
    expect(status).toBe(201);
    expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?code=[0-9a-f]{64}$/);
    expect(new Date(body.expiresAt).toISOString()).toBe(body.expiresAt);
  });
});

describe("a browser's login", () => {
  test("has a cookie that is out of reach of scripts and of other sites", async () => {
    const cookie = (await followLink(server, await newLink(server))).headers.get("set-cookie") ?? "";
    const [pair, ...flags] = cookie.split(/; */);
    expect(pair).toMatch(new RegExp(`^banto_${server.port}=[0-9a-f]{64}$`));
    expect(flags).toContain("HttpOnly");
    expect(flags).toContain("SameSite=Strict");
    expect(flags).toContain("Path=/");
    expect(flags.some((flag) => flag.startsWith("Expires="))).toBe(true);
    expect(flags.some((flag) => flag.startsWith("Domain="))).toBe(false);
    expect(flags).not.toContain("Secure");
  });

  test("has a cookie that is Secure behind a proxy that speaks TLS", async () => {
    await using own = await TestServer.start({ BANTO_PUBLIC_ORIGIN: "https://banto.example.org" });
    const link = await newLink(own);
    const answer = await followLink(own, link, { host: "banto.example.org" });
    expect(answer.headers.get("set-cookie")?.split(/; */)).toContain("Secure");
  });

  test("survives a restart, and so does the token", async () => {
    await using own = await TestServer.start();
    const [login, token] = [await signIn(own), own.token];
    await own.restart();
    expect(await statusWith(own, login)).toBe(200);
    expect(own.token).toBe(token);
    expect((await own.get("/api/tasks")).status).toBe(200);
  });

  test("ends with the token it was made under", async () => {
    await using own = await TestServer.start();
    const login = await signIn(own);
    await own.kill("SIGTERM");
    rmSync(join(own.dataDir, "token"));
    await own.restart();
    expect(await statusWith(own, login)).toBe(401);
  });

  test("ends with the logout, and only that one", async () => {
    const [mine, other] = [await signIn(server), await signIn(server)];
    const answer = await server.request("POST", "/api/logout", {
      anonymous: true,
      headers: mine.headers,
    });
    expect(answer.status).toBe(204);
    expect(
      new Date(/Expires=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "").getTime(),
    ).toBe(0);
    expect([await statusWith(server, mine), await statusWith(server, other)]).toEqual([401, 200]);
  });

  test.each(EVENT_WAYS)("ends its event %s as well, and nobody else's", async (way) => {
    const [mine, other] = [await signIn(server), await signIn(server)];
    const listen = ({ headers }: BrowserLogin) => EventReader.open(way, `${server.url}api/events`, headers);
    using ended = await listen(mine);
    using going = await listen(other);
    expect((await ended.next())?.type).toBe("reset");
    await server.request("POST", "/api/logout", { anonymous: true, headers: mine.headers });
    expect(await ended.next()).toBeUndefined();
    expect(ended.closeCode).toBe(way === "socket" ? CLOSE.signedOut : undefined);
    using repository = await TestRepository.create();
    await server.post("/api/projects", { path: repository.path });
    await going.until(({ type }) => type === "project");
  });

  test("works among others, quoted or not first", async () => {
    const { cookie, headers } = await signIn(server);
    const among = { ...headers, cookie: `theme=dark; ${cookie}; x=y` };
    expect((await server.get("/api/tasks", { anonymous: true, headers: among })).status).toBe(200);
  });

  test("is not in the database, only a digest", async () => {
    await using own = await TestServer.start();
    const { cookie, pageKey } = await signIn(own);
    await own.kill("SIGTERM");
    const stored = readFileSync(own.database);
    for (const secret of [cookie.split("=")[1] ?? "", pageKey]) expect(stored.includes(secret)).toBe(false);
  });
});

describe("signing in with the token", () => {
  const login = (on: TestServer, body: unknown) =>
    on.request<{ pageKey: string; login: string }>("POST", "/login", { anonymous: true, body });

  test("gives a login", async () => {
    const answer = await login(server, { token: ` ${server.token}\n` });
    expect(answer.status).toBe(200);
    expect(await statusWith(server, loginOf(answer))).toBe(200);
  });

  test("needs the right one", async () => {
    const answer = await login(server, { token: "0".repeat(64) });
    expectFailure(answer, "unauthenticated", "not a valid login code or token");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("names what is wrong with the request", async () => {
    expectFailure(await login(server, {}), "invalid", /^token: is required/);
    expectFailure(await login(server, { token: 1 }), "invalid", /^token: must be string/);
    expectFailure(await login(server, { token: "x".repeat(201) }), "invalid", /^token: must be at most 200/);
  });

  const guess = async (on: TestServer, times: number, headers: Record<string, string> = {}) => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < times; attempt += 1) {
      const options = { anonymous: true, body: { token: "guess" }, headers };
      statuses.push((await on.request("POST", "/login", options)).status);
    }
    return statuses;
  };
  const all = (count: number, status: number) => Array<number>(count).fill(status);

  test("is slowed down after too many failures, which locks out nobody who has the token or a login", async () => {
    await using own = await TestServer.start();
    const known = await signIn(own);
    expect(await guess(own, 25)).toEqual([...all(20, 401), ...all(5, 429)]);
    expectFailure(await login(own, { token: "guess" }), "too_many", "wait a minute");
    expect((await login(own, { token: own.token })).status).toBe(200);
    expect((await followLink(own, own.loginLink)).status).toBe(200);
    expect(await statusWith(own, known)).toBe(200);
    expect((await own.get("/api/tasks")).status).toBe(200);
  });

  test("is slowed down for those who fail, and not for others behind the same proxy", async () => {
    await using own = await TestServer.start({ BANTO_PUBLIC_ORIGIN: "https://banto.example.org" });
    const from = (source: string) => ({ host: "banto.example.org", "x-forwarded-for": source });
    expect(await guess(own, 22, from("10.0.0.9"))).toEqual([...all(20, 401), ...all(2, 429)]);
    // What comes before the last address is what the one before the proxy claims.
    expect(await guess(own, 1, from("1.2.3.4, 10.0.0.9"))).toEqual([429]);
    expect(await guess(own, 1, from("10.0.0.10"))).toEqual([401]);
    expect(await guess(own, 1, from("10.0.0.9, 2001:db8::1"))).toEqual([401]);
    expect(await guess(own, 1)).toEqual([401]);
  });

  test("reads a few thousand bytes of a stranger's request and no more", async () => {
    const long = { token: "x", more: "x".repeat(5_000) };
    expectFailure(await login(server, long), "too_large", "larger than 4096 bytes");
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(1_000, " ")) });
    expectFailure(await login(server, endless), "too_large", "larger than 4096 bytes");
  });
});

describe("secrets", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test("lie in files that only their owner can read", () => {
    expect(modeOf(server.dataDir)).toBe("700");
    expect(modeOf(join(server.dataDir, "token"))).toBe("600");
    expect(readFileSync(join(server.dataDir, "token"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test("lie in a directory and in files that are closed even where they were open before", async () => {
    await using own = await TestServer.start();
    await own.kill("SIGTERM");
    const files = ["banto.db", "banto.db-wal", "banto.db-shm", "lock", "server.json", "token"];
    chmodSync(own.dataDir, 0o755);
    chmodSync(join(own.dataDir, "banto.db"), 0o644);
    await own.restart();
    expect(modeOf(own.dataDir)).toBe("700");
    for (const file of files) {
      expect({ file, mode: modeOf(join(own.dataDir, file)) }).toEqual({ file, mode: "600" });
    }
    await own.kill("SIGKILL");
    for (const file of files.slice(0, 3)) chmodSync(join(own.dataDir, file), 0o644);
    await own.restart();
    for (const file of files) {
      expect({ file, mode: modeOf(join(own.dataDir, file)) }).toEqual({ file, mode: "600" });
    }
  });

  test("are never logged", async () => {
    await using own = await TestServer.start();
    const { cookie, pageKey } = await signIn(own);
    await own.get("/api/tasks");
    await own.get(`/api/nothing?token=${own.token}`);
    await own.kill("SIGTERM");
    expect(own.output).not.toContain(own.token);
    expect(own.output).not.toContain(cookie.split("=")[1]);
    expect(own.output).not.toContain(pageKey);
  });
});
