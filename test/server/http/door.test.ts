import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Operation, readAssetPaths, readOperations } from "../../support/api-document.ts";
import { expectFailure } from "../../support/board.ts";
import { type BrowserLogin, followLink, loginOf, newLink, signIn } from "../../support/login.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { TestServer } from "../../support/server.ts";

let server: TestServer;
let operations: Operation[];
let login: BrowserLogin;
let other: BrowserLogin;
beforeAll(async () => {
  server = await TestServer.startHere();
  [login, other] = [await signIn(server), await signIn(server)];
  operations = await readOperations(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const isHealth = ({ method, path }: { method: string; path: string }) =>
  path === "/api/health" && (method === "GET" || method === "HEAD");

/** Every path of the document, each with every method, whether it has that one or not. */
const everyCall = () =>
  [...new Set(operations.map(({ path }) => path))]
    .flatMap((path) => METHODS.map((method) => ({ method, path: path.replace(/\{\w+\}/g, "someid") })))
    .filter((call) => !isHealth(call));

/** Sends the call raw, so that no client adds or refuses a header. */
const send = ({ method, path }: { method: string; path: string }, headers: string[], host = hostOf()) =>
  sendRaw(server.port, [`${method} ${path} HTTP/1.1`, `Host: ${host}`, "Content-Length: 0", ...headers]);
const hostOf = () => `127.0.0.1:${server.port}`;
const bearer = () => `Authorization: Bearer ${server.token}`;
const cookieValue = () => login.cookie.split("=")[1] ?? "";
const notFetched = "Sec-Fetch-Mode: cors";

test("the document lists the routes this test walks", () => {
  const listed = operations.map(({ method, path }) => `${method} ${path}`);
  expect(listed).toContain("GET /api/tasks");
  expect(listed).toContain("PATCH /api/tasks/{id}");
  expect(listed).toContain("GET /api/events");
  expect(listed).toContain("POST /api/login-links");
  expect(listed.length).toBeGreaterThan(15);
});

describe("every route but health is refused", () => {
  const tokenOf = (change: (token: string) => string) => `Authorization: Bearer ${change(server.token)}`;
  const unauthenticated: [string, () => string[]][] = [
    ["without credentials", () => []],
    ["with a wrong token", () => ["Authorization: Bearer 0000"]],
    ["with a token that is almost right", () => [tokenOf((token) => token.slice(0, -1))]],
    ["with the token and more", () => [tokenOf((token) => `${token}0`)]],
    ["with the token in upper case", () => [tokenOf((token) => token.toUpperCase())]],
    ["with an empty bearer", () => ["Authorization: Bearer "]],
    ["with the token under another scheme", () => [`Authorization: Basic ${server.token}`]],
    ["with a wrong token and the right one beside it", () => ["Authorization: Bearer 0000", bearer()]],
    ["with a wrong cookie", () => [`Cookie: banto_${server.port}=0000`]],
    ["with the token as a cookie", () => [`Cookie: banto_${server.port}=${server.token}`]],
    ["with an empty cookie", () => [`Cookie: banto_${server.port}=`]],
    ["with a cookie and no page key", () => [`Cookie: ${login.cookie}`]],
    ["with a page key and no cookie", () => [`X-Banto-Page-Key: ${login.pageKey}`]],
    [
      "with the halves of two logins",
      () => [`Cookie: ${login.cookie}`, `X-Banto-Page-Key: ${other.pageKey}`],
    ],
    ["with a cookie twice", () => [`Cookie: ${login.cookie}`, `X-Banto-Page-Key: ${cookieValue()}`]],
    ["with a cookie and an empty page key", () => [`Cookie: ${login.cookie}`, "X-Banto-Page-Key: "]],
    ["with a cookie and a page key as a cookie", () => [`Cookie: ${login.cookie}; x=${login.pageKey}`]],
    ["from our own origin but without credentials", () => [`Origin: http://${hostOf()}`]],
  ];
  test.each(unauthenticated)("%s: 401", async (_, headers) => {
    for (const call of everyCall()) {
      expect({ call, status: await send(call, headers()) }).toEqual({ call, status: 401 });
    }
  });

  const foreign: [string, () => string[]][] = [
    ["a site of a kind that is not known", () => ["Sec-Fetch-Site: friendly", notFetched]],
    ["a fetch that gives its site twice", () => ["Sec-Fetch-Site: same-origin, cross-site", notFetched]],
    ["a foreign origin", () => ["Origin: https://evil.example"]],
    ["the origin null", () => ["Origin: null"]],
    ["an origin that is none", () => ["Origin: x"]],
    ["our address under another scheme", () => [`Origin: https://${hostOf()}`]],
    ["our host on another port", () => ["Origin: http://127.0.0.1:1"]],
    ["an origin that starts like ours", () => [`Origin: http://${hostOf()}.evil.example`]],
    ["a cross-site fetch", () => ["Sec-Fetch-Site: cross-site", notFetched]],
    ["a fetch from another port of this machine", () => ["Sec-Fetch-Site: same-site", notFetched]],
    ["a cross-site navigation", () => ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]],
  ];
  test.each(foreign)("with the token but from %s: 403", async (_, headers) => {
    for (const call of everyCall()) {
      const status = await send(call, [bearer(), ...headers()]);
      expect({ call, status }).toEqual({ call, status: 403 });
    }
  });

  const hosts = [
    "evil.example",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example",
    "0.0.0.0",
    "127.0.0.1:PORT.evil.example",
    "evil.example:PORT",
    "x@127.0.0.1:PORT",
    "127.0.0.1:PORT/x",
  ];
  test.each(hosts)("with the token but for the host %s: 421", async (host) => {
    for (const call of everyCall()) {
      const status = await send(call, [bearer()], host.replace("PORT", String(server.port)));
      // Bun itself answers 400 where the header is not even a host.
      expect(status).toBeOneOf([400, 421]);
    }
  });
});

describe("the door has no other way in:", () => {
  const targets = [
    "/api",
    "/api/",
    "/api/nothing",
    "/nothing",
    "//api/tasks",
    "///api/tasks",
    "/api//tasks",
    "/api/tasks/",
    "/API/tasks",
    "/api/%74asks",
    "/%61pi/tasks",
    "/api%2ftasks",
    "/./api/tasks",
    "/x/../api/tasks",
    "/login/../api/tasks",
    "/login/..%2fapi/tasks",
    "/login/%2e%2e/api/tasks",
    "/api/health/../tasks",
    "/api/health/",
    "/api/health/x",
    "/api/healthx",
    "/login/",
    "/login/x",
    "/loginx",
    "/api/tasks;/login",
    "/login;/../api/tasks",
    "/api\\tasks",
    "/api/tasks?/login",
    "/api/tasks?x=/api/health",
    "/api/tasks#/login",
    "/index.html",
    "/manifest.json",
    "/index.html/../api/tasks",
    "http://evil.example/api/tasks",
    "http://127.0.0.1/api/tasks",
    "http://user:pass@127.0.0.1/api/tasks",
    "https://x/login#/api/tasks",
    "/login#?/api/tasks",
    "/src/server/main.ts",
    "/../../../etc/passwd",
    "/..%2f..%2f..%2fetc/passwd",
    "/api/openapi",
    "/api/openapi.json",
  ];
  test.each(targets)("%s", async (target) => {
    for (const method of METHODS) {
      expect({ method, status: await send({ method, path: target }, []) }).toEqual({ method, status: 401 });
      const status = await send({ method, path: target }, [bearer(), "Origin: https://evil.example"]);
      expect({ method, status }).toEqual({ method, status: 403 });
    }
  });

  test.each(["*", "api/tasks", ""])("the malformed target %j is refused", async (target) => {
    expect(await send({ method: "GET", path: target }, [bearer()])).toBeOneOf([0, 400, 404]);
  });

  test("a file of the page behind the page's own folder is not there, token or not", async () => {
    for (const path of ["/../package.json", "/..%2fmanifest.json", "/manifest.json", "/index.html.br"]) {
      expect(await send({ method: "GET", path }, [bearer()])).toBe(404);
    }
  });

  test.each(["TRACE", "CONNECT", "PROPFIND", "FOO", "get"])("the method %s", async (method) => {
    expect(await send({ method, path: "/api/tasks" }, [])).toBeOneOf([0, 400, 401, 405]);
  });

  test("a request without a Host", async () => {
    expect(await sendRaw(server.port, ["GET /api/tasks HTTP/1.1", bearer()])).toBeOneOf([400, 421]);
    expect(await sendRaw(server.port, ["GET /api/tasks HTTP/1.0", bearer()])).toBeOneOf([400, 421]);
    expect(await sendRaw(server.port, ["GET /api/tasks HTTP/1.1", "Host:", bearer()])).toBeOneOf([400, 421]);
  });

  test("a request with two Hosts", async () => {
    for (const hosts of [
      ["Host: evil.example", `Host: ${hostOf()}`],
      [`Host: ${hostOf()}`, "Host: evil.example"],
    ]) {
      expect(await sendRaw(server.port, ["GET /api/tasks HTTP/1.1", ...hosts, bearer()])).toBeOneOf([
        400, 421,
      ]);
    }
  });

  test("a request of HTTP/1.0, which needs the token like any other", async () => {
    const request = ["GET /api/tasks HTTP/1.0", `Host: ${hostOf()}`];
    expect(await sendRaw(server.port, request)).toBe(401);
    expect(await sendRaw(server.port, [...request, bearer()])).toBe(200);
  });

  test("two lengths of one body, or a length that is none", async () => {
    const request = ["POST /api/tasks HTTP/1.1", `Host: ${hostOf()}`];
    const odd = [["Content-Length: 5", "Content-Length: 6"], ["Content-Length: -1"], ["Content-Length: x"]];
    for (const lengths of odd) {
      expect(await sendRaw(server.port, [...request, ...lengths])).toBeOneOf([0, 400, 401]);
    }
  });
});

describe("a WebSocket is checked before its upgrade:", () => {
  const upgrade = [
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  const paths = [
    "/api/tasks/someid/terminal",
    "/api/tasks/someid/shells/one/terminal",
    "/api/events",
    "/api/x",
  ];
  test.each(paths)("%s", async (path) => {
    const call = { method: "GET", path };
    expect(await send(call, upgrade)).toBe(401);
    expect(await send(call, [...upgrade, "Authorization: Bearer 0000"])).toBe(401);
    expect(await send(call, [...upgrade, bearer(), "Origin: https://evil.example"])).toBe(403);
    expect(await send(call, [...upgrade, bearer(), "Origin: null"])).toBe(403);
    expect(await send(call, [...upgrade, bearer()], "evil.example")).toBe(421);
  });
});

describe("what is public", () => {
  test("answers without credentials", async () => {
    const paths = [
      "/api/health",
      "/",
      "/login",
      ...readAssetPaths().filter((path) => path !== "/index.html"),
    ];
    for (const path of paths) {
      expect({ path, status: (await server.get(path, { anonymous: true })).status }).toEqual({
        path,
        status: 200,
      });
      expect({ path, status: await send({ method: "HEAD", path }, []) }).toEqual({ path, status: 200 });
    }
  });

  test("is closed to other methods", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expect(await send({ method, path: "/" }, [])).toBe(401);
      expect(await send({ method, path: "/api/health" }, [])).toBe(401);
    }
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expect(await send({ method, path: "/login" }, [])).toBe(401);
    }
  });

  test("is refused to a foreign host all the same", async () => {
    for (const path of ["/", "/login", "/api/health"]) {
      expect(await send({ method: "GET", path }, [], "evil.example")).toBe(421);
    }
  });

  test("health says that it is well and which version it is", async () => {
    const { version } = await import("../../../package.json");
    const { body } = await server.get("/api/health", { anonymous: true });
    expect(body).toEqual({ status: "ok", version });
  });

  test("a link on another site may lead to the page, and to nothing else", async () => {
    const navigation = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
    expect(await send({ method: "GET", path: "/" }, navigation)).toBe(200);
    expect(await send({ method: "POST", path: "/login" }, navigation)).toBe(403);
  });
});

describe("with a browser's login", () => {
  const statusWith = (...headers: string[]) => send({ method: "GET", path: "/api/tasks" }, headers);
  const key = () => `X-Banto-Page-Key: ${login.pageKey}`;

  test("requests that bring both halves are welcome", async () => {
    expect(await statusWith(`Cookie: ${login.cookie}`, key())).toBe(200);
  });

  test("cookies of the same name that other ports have set do no harm, wherever they stand", async () => {
    const junk = `banto_${server.port}=junk`;
    expect(await statusWith(`Cookie: ${junk}; ${login.cookie}; ${junk}`, key())).toBe(200);
    expect(await statusWith(`Cookie: ${other.cookie}; ${login.cookie}`, key())).toBe(200);
    const much = Array.from({ length: 100 }, (_, index) => `banto_${server.port}=${index}`).join("; ");
    expect(await statusWith(`Cookie: ${much}; ${login.cookie}`, key())).toBe(200);
  });

  test("as many and as large cookies as a browser keeps for a host name shut nobody out", async () => {
    const flood = Array.from({ length: 180 }, (_, index) => `junk${index}=${"x".repeat(4_080)}`).join("; ");
    expect(await statusWith(`Cookie: ${flood}; ${login.cookie}`, key())).toBe(200);
    expect(await statusWith(`Cookie: ${flood}`, bearer())).toBe(200);
    const { headers } = loginOf(await followLink(server, await newLink(server), { cookie: flood }));
    expect(await statusWith(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`))).toBe(
      200,
    );
  });

  test("whoever brings a cookie only is told what is missing", async () => {
    const { status, body } = await server.get("/api/tasks", {
      anonymous: true,
      headers: { cookie: login.cookie },
    });
    expect(status).toBe(401);
    expect(body).toEqual({
      error: {
        code: "half_login",
        message: "The cookie is half of a login; send the page key with it, as x-banto-page-key.",
      },
    });
  });
});

describe("with the token", () => {
  test.each(["127.0.0.1", "localhost", "[::1]"])(
    "every name of this machine is a host of ours: %s",
    async (name) => {
      expect(await send({ method: "GET", path: "/api/tasks" }, [bearer()], `${name}:${server.port}`)).toBe(
        200,
      );
    },
  );

  test("requests from our own page are welcome", async () => {
    for (const origin of [`http://${hostOf()}`, `http://localhost:${server.port}`]) {
      const headers = [bearer(), `Origin: ${origin}`, "Sec-Fetch-Site: same-origin"];
      expect(await send({ method: "GET", path: "/api/tasks" }, headers)).toBe(200);
    }
  });

  test("what a person opens by hand is welcome", async () => {
    const headers = [bearer(), "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"];
    expect(await send({ method: "GET", path: "/api/tasks" }, headers)).toBe(200);
  });

  test("no answer of the API is kept by a browser or a proxy, neither are refusals", async () => {
    for (const path of ["/api/tasks", "/api/health", "/api/nothing", "/api/openapi.json", "/api/projects"]) {
      for (const anonymous of [true, false]) {
        const { headers } = await server.get(path, { anonymous });
        expect({ path, cache: headers.get("cache-control") }).toEqual({ path, cache: "no-store" });
      }
    }
    const login = await followLink(server, await newLink(server));
    expect(login.headers.get("cache-control")).toBe("no-store");
  });

  test("an address that is not there is a 404 in the one error shape", async () => {
    const { status, body } = await server.get("/api/nothing");
    expect(status).toBe(404);
    expect(body).toEqual({ error: { code: "not_found", message: "There is nothing at this address." } });
  });

  test("no answer tells another site's page anything", async () => {
    for (const path of ["/api/tasks", "/api/health", "/"]) {
      const { headers } = await server.get(path);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

test("behind a proxy its address is a host and an origin of ours", async () => {
  await using proxied = await TestServer.start({
    BANTO_PUBLIC_ORIGIN: "https://banto.example.org, http://lan:8080",
  });
  const ask = (host: string, origin: string) =>
    sendRaw(proxied.port, [
      "GET /api/tasks HTTP/1.1",
      `Host: ${host}`,
      `Origin: ${origin}`,
      `Authorization: Bearer ${proxied.token}`,
    ]);
  expect(await ask("banto.example.org", "https://banto.example.org")).toBe(200);
  expect(await ask("banto.example.org:443", "https://banto.example.org")).toBe(200);
  expect(await ask("lan:8080", "http://lan:8080")).toBe(200);
  expect(await ask("banto.example.org", "http://banto.example.org")).toBe(403);
  expect(await ask("evil.example", "https://banto.example.org")).toBe(421);
  expect(proxied.loginLink).toStartWith("https://banto.example.org/login?code=");
});

describe("behind a proxy that speaks TLS and asks under another Host", () => {
  let proxied: TestServer;
  beforeAll(async () => {
    proxied = await TestServer.start({ BANTO_PUBLIC_ORIGIN: "https://banto.example.org, http://lan:8080" });
  });
  afterAll(() => proxied[Symbol.asyncDispose]());

  const signInWith = async (headers: Record<string, string>) => {
    const answer = await followLink(proxied, await newLink(proxied), headers);
    return { status: answer.status, cookie: answer.headers.get("set-cookie") ?? "", headers: answer.headers };
  };
  const SECURE = /^__Host-banto_\d+=[0-9a-f]{64}; Path=\/;.* Secure;/;

  const secure: [string, Record<string, string>][] = [
    ["the Host itself", { host: "banto.example.org" }],
    ["the page's origin", { origin: "https://banto.example.org" }],
    ["X-Forwarded-Host", { "x-forwarded-host": "banto.example.org" }],
    ["X-Forwarded-Host through two proxies", { "x-forwarded-host": "banto.example.org, inner" }],
    ["X-Forwarded-Proto", { "x-forwarded-proto": "https", "x-forwarded-for": "10.0.0.9" }],
    ["Forwarded", { forwarded: 'for=10.0.0.9;host="banto.example.org";proto=https, for=127.0.0.1' }],
  ];
  test.each(secure)("the cookie is for TLS only, which it knows by %s", async (_, headers) => {
    const answer = await signInWith(headers);
    expect(answer.status).toBe(200);
    expect(answer.cookie).toMatch(SECURE);
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  test("the login works however the proxy asks", async () => {
    const { headers } = loginOf(
      await followLink(proxied, await newLink(proxied), { host: "banto.example.org" }),
    );
    for (const host of [{}, { host: "banto.example.org" }, { "x-forwarded-proto": "https" }]) {
      const answer = await proxied.get("/api/tasks", { anonymous: true, headers: { ...headers, ...host } });
      expect(answer.status).toBe(200);
    }
  });

  const refused: [string, Record<string, string>][] = [
    ["for whom only", { "x-forwarded-for": "10.0.0.9" }],
    ["X-Real-IP only", { "x-real-ip": "10.0.0.9" }],
    ["plain HTTP", { "x-forwarded-proto": "http", "x-forwarded-for": "10.0.0.9" }],
    ["a host that is not ours", { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }],
    ["a Forwarded without a host", { forwarded: "for=10.0.0.9" }],
  ];
  test.each(refused)("a request that it was handed on with %s is refused in words", async (_, headers) => {
    for (const path of ["/", "/api/tasks", "/login"]) {
      const answer = await proxied.get(path, { headers });
      expectFailure(answer, "misdirected", /proxy.*proxy_set_header Host/);
    }
    expect(await signInWith(headers)).toMatchObject({ status: 421, cookie: "" });
  });

  test("an address without TLS that was named for it gets a plain cookie, and so does this machine", async () => {
    for (const headers of [{ host: "lan:8080" }, { "x-forwarded-host": "lan:8080" }, {}]) {
      const answer = await signInWith(headers as Record<string, string>);
      expect(answer.cookie).toMatch(/^banto_\d+=/);
      expect(answer.cookie).not.toContain("Secure");
      expect(answer.headers.get("strict-transport-security")).toBeNull();
    }
  });

  test("answers that are not logins, and refusals, tell the browser to stay with TLS too", async () => {
    for (const path of ["/", "/api/tasks", "/api/nothing"]) {
      const { headers } = await proxied.get(path, { headers: { host: "banto.example.org" } });
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    }
  });
});

test("under a name of few letters every path is the one it looks like", async () => {
  await using short = await TestServer.start({ BANTO_PUBLIC_ORIGIN: "https://nas" });
  const ask = (target: string, ...headers: string[]) =>
    sendRaw(short.port, [`GET ${target} HTTP/1.1`, "Host: nas", ...headers]);
  const bearer = `Authorization: Bearer ${short.token}`;
  expect(await ask("/api/tasks", bearer)).toBe(200);
  expect(await ask("/")).toBe(200);
  expect(await ask("/api/tasks")).toBe(401);
  // The page, and nothing else.
  for (const anonymous of [true, false]) {
    const { headers } = await short.get("/login?/api/tasks", { anonymous, headers: { host: "nas" } });
    expect(headers.get("content-type")).toStartWith("text/html");
  }
});
