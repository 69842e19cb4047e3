import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CLOSE } from "../../../src/contract.ts";
import { expectFailure } from "../../support/board.ts";
import { EVENT_WAYS, EventReader } from "../../support/events.ts";
import { TestRepository } from "../../support/repository.ts";
import { type Answer, TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.startHere();
});
afterAll(() => server[Symbol.asyncDispose]());

const visit = (on: TestServer, link: string, headers: Record<string, string> = {}) =>
  on.get<string>(link.slice(new URL(link).origin.length), { anonymous: true, headers });
const newLink = async (on: TestServer) => (await on.post<{ url: string }>("/api/login-links")).body.url;
const cookieOf = (answer: Answer<unknown>) => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
const statusWith = async (on: TestServer, cookie: string) =>
  (await on.get("/api/tasks", { anonymous: true, headers: { cookie } })).status;

async function signIn(on: TestServer): Promise<string> {
  return cookieOf(await visit(on, await newLink(on)));
}

describe("the login link", () => {
  test("that is printed at the start signs a browser in", async () => {
    await using own = await TestServer.start();
    const answer = await visit(own, own.loginLink);
    expect({ status: answer.status, to: answer.headers.get("location") }).toEqual({ status: 303, to: "/" });
    expect(await statusWith(own, cookieOf(answer))).toBe(200);
  });

  test("works once", async () => {
    const link = await newLink(server);
    const answers = await Promise.all(Array.from({ length: 5 }, () => visit(server, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401, 401]);
    const refused = answers.find(({ status }) => status === 401);
    expect(refused?.headers.get("set-cookie")).toBeNull();
    expect(refused?.headers.get("content-type")).toStartWith("text/html");
  });

  test("is not used up by whoever only asks where it leads", async () => {
    const link = await newLink(server);
    const path = link.slice(new URL(link).origin.length);
    const asked = await server.request("HEAD", path, { anonymous: true });
    expect({ status: asked.status, cookie: asked.headers.get("set-cookie") }).toEqual({
      status: 200,
      cookie: null,
    });
    expect((await visit(server, link)).status).toBe(303);
  });

  test("works also while a foreign page sends its visitors here with wrong codes", async () => {
    await using own = await TestServer.start();
    for (let attempt = 0; attempt < 25; attempt += 1)
      expect((await own.get(`/login?code=wrong${attempt}`, { anonymous: true })).status).toBe(401);
    expect((await visit(own, own.loginLink)).status).toBe(303);
  });

  test("leaves another link as it is when it is used", async () => {
    const [first, second] = [await newLink(server), await newLink(server)];
    expect((await visit(server, first)).status).toBe(303);
    expect((await visit(server, second)).status).toBe(303);
  });

  test("opened by a browser that is signed in just leads to the board", async () => {
    const cookie = await signIn(server);
    const link = await newLink(server);
    const again = await visit(server, link, { cookie });
    expect({ status: again.status, cookie: again.headers.get("set-cookie") }).toEqual({
      status: 303,
      cookie: null,
    });
    expect((await visit(server, link)).status).toBe(303);
  });

  test("is told with the time it ends", async () => {
    const { status, body } = await server.post<{ url: string; expiresAt: string }>("/api/login-links");
    expect(status).toBe(201);
    expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?code=[0-9a-f]{64}$/);
    expect(new Date(body.expiresAt).toISOString()).toBe(body.expiresAt);
  });

  test("is not kept by the browser's cache", async () => {
    expect((await visit(server, await newLink(server))).headers.get("cache-control")).toBe("no-store");
  });
});

describe("the cookie", () => {
  test("is out of reach of scripts and of other sites", async () => {
    const cookie = (await visit(server, await newLink(server))).headers.get("set-cookie") ?? "";
    const [pair, ...flags] = cookie.split(/; */);
    expect(pair).toMatch(new RegExp(`^banto_${server.port}=[0-9a-f]{64}$`));
    expect(flags).toContain("HttpOnly");
    expect(flags).toContain("SameSite=Strict");
    expect(flags).toContain("Path=/");
    expect(flags.some((flag) => flag.startsWith("Expires="))).toBe(true);
    expect(flags.some((flag) => flag.startsWith("Domain="))).toBe(false);
    expect(flags).not.toContain("Secure");
  });

  test("is Secure behind a proxy that speaks TLS", async () => {
    await using own = await TestServer.start({ BANTO_PUBLIC_ORIGIN: "https://banto.example.org" });
    const link = await newLink(own);
    const answer = await visit(own, link, { host: "banto.example.org" });
    expect(answer.headers.get("set-cookie")?.split(/; */)).toContain("Secure");
  });

  test("survives a restart, and so does the token", async () => {
    await using own = await TestServer.start();
    const [cookie, token] = [await signIn(own), own.token];
    await own.restart();
    expect(await statusWith(own, cookie)).toBe(200);
    expect(own.token).toBe(token);
    expect((await own.get("/api/tasks")).status).toBe(200);
  });

  test("ends with the token it was made under", async () => {
    await using own = await TestServer.start();
    const cookie = await signIn(own);
    await own.kill("SIGTERM");
    rmSync(join(own.dataDir, "token"));
    await own.restart();
    expect(await statusWith(own, cookie)).toBe(401);
  });

  test("ends with the logout, and only that one", async () => {
    const [mine, other] = [await signIn(server), await signIn(server)];
    const answer = await server.request("POST", "/api/logout", {
      anonymous: true,
      headers: { cookie: mine },
    });
    expect(answer.status).toBe(204);
    expect(
      new Date(/Expires=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "").getTime(),
    ).toBe(0);
    expect([await statusWith(server, mine), await statusWith(server, other)]).toEqual([401, 200]);
  });

  test.each(EVENT_WAYS)("ends its event %s as well, and nobody else's", async (way) => {
    const [mine, other] = [await signIn(server), await signIn(server)];
    const listen = (cookie: string) => EventReader.open(way, `${server.url}api/events`, { cookie });
    using ended = await listen(mine);
    using going = await listen(other);
    expect((await ended.next())?.type).toBe("reset");
    await server.request("POST", "/api/logout", { anonymous: true, headers: { cookie: mine } });
    expect(await ended.next()).toBeUndefined();
    expect(ended.closeCode).toBe(way === "socket" ? CLOSE.signedOut : undefined);
    using repository = await TestRepository.create();
    await server.post("/api/projects", { path: repository.path });
    await going.until(({ type }) => type === "project");
  });

  test("works among others, quoted or not first", async () => {
    const cookie = await signIn(server);
    expect(await statusWith(server, `theme=dark; ${cookie}; x=y`)).toBe(200);
  });

  test("is not in the database, only its digest", async () => {
    await using own = await TestServer.start();
    const secret = (await signIn(own)).split("=")[1] ?? "";
    await own.kill("SIGTERM");
    expect(readFileSync(own.database).includes(secret)).toBe(false);
  });
});

describe("signing in with the token", () => {
  const login = (on: TestServer, body: unknown) => on.request("POST", "/login", { anonymous: true, body });

  test("gives a cookie", async () => {
    const answer = await login(server, { token: ` ${server.token}\n` });
    expect(answer.status).toBe(204);
    expect(await statusWith(server, cookieOf(answer))).toBe(200);
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

  test("is slowed down after too many failures, while those who are signed in go on", async () => {
    await using own = await TestServer.start();
    const cookie = await signIn(own);
    const statuses = [];
    for (let attempt = 0; attempt < 25; attempt += 1) {
      statuses.push((await login(own, { token: "guess" })).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    expectFailure(await login(own, { token: own.token }), "too_many", "wait a minute");
    expect(await statusWith(own, cookie)).toBe(200);
    expect((await own.get("/api/tasks")).status).toBe(200);
  });
});

describe("secrets", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test("lie in files that only their owner can read", () => {
    expect(modeOf(server.dataDir)).toBe("700");
    expect(modeOf(join(server.dataDir, "token"))).toBe("600");
    expect(readFileSync(join(server.dataDir, "token"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test("lie in a directory that is closed even where it was open before", async () => {
    await using own = await TestServer.start();
    await own.kill("SIGTERM");
    const { chmodSync } = await import("node:fs");
    chmodSync(own.dataDir, 0o755);
    await own.restart();
    expect(modeOf(own.dataDir)).toBe("700");
  });

  test("are never logged", async () => {
    await using own = await TestServer.start();
    const cookie = (await signIn(own)).split("=")[1] ?? "";
    await own.get("/api/tasks");
    await own.get(`/api/nothing?token=${own.token}`);
    await own.kill("SIGTERM");
    expect(own.output).not.toContain(own.token);
    expect(own.output).not.toContain(cookie);
  });
});
