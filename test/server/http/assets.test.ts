import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadAssets } from "../../../src/server/http/assets.ts";
import { readAssetPaths } from "../../support/api-document.ts";
import { ROOT } from "../../support/program.ts";
import { TestServer } from "../../support/server.ts";
import { tempDir } from "../../support/temp.ts";

const CLIENT = join(ROOT, "dist/client");

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.startHere();
});
afterAll(() => server[Symbol.asyncDispose]());

const page = (headers: Record<string, string> = {}) => server.get<string>("/", { anonymous: true, headers });
const scripts = () => readAssetPaths().filter((path) => path.endsWith(".js"));

describe("the page", () => {
  test("is HTML that no cache keeps", async () => {
    const { headers, body } = await page();
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toContain("<html");
  });

  test("needs no inline script or style", async () => {
    const { body } = await page();
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(body).not.toMatch(/<style|\son\w+=|style=/);
  });

  test("names only files that are there", async () => {
    const { body } = await page();
    const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect((await server.get(path, { anonymous: true })).status).toBe(200);
  });

  test("comes in the theme that was chosen", async () => {
    expect((await page({ cookie: "banto_theme=dark" })).body).toContain('data-theme="dark"');
    expect((await page({ cookie: "banto_theme=light" })).body).toContain('data-theme="light"');
    expect((await page({ cookie: 'banto_theme="><script>' })).body).toBe((await page()).body);
  });
});

describe("the page's files", () => {
  test("have types, are kept for ever by their hashed names, and come compressed", async () => {
    for (const path of scripts()) {
      for (const encoding of ["br", "gzip"]) {
        const options = { anonymous: true, headers: { "accept-encoding": encoding } };
        const { status, headers } = await server.get(path, options);
        expect(status).toBe(200);
        expect(headers.get("content-type")).toStartWith("text/javascript");
        expect(headers.get("content-encoding")).toBe(encoding);
        expect(headers.get("vary")).toBe("accept-encoding");
        expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      }
    }
  });

  test("are the same compressed and plain", async () => {
    const [path = ""] = scripts();
    const as = (encoding: string) =>
      server.get<string>(path, { anonymous: true, headers: { "accept-encoding": encoding } });
    const plain = await as("identity");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect((await as("br")).body).toBe(plain.body);
    expect((await as("gzip")).body).toBe(plain.body);
  });
});

test("the files of a page stay while a newer build takes their place on disk", async () => {
  using dir = tempDir("client");
  cpSync(CLIENT, dir.path, { recursive: true });
  const assets = loadAssets(dir.path);
  rmSync(dir.path, { recursive: true });
  for (const path of readAssetPaths().filter((name) => name !== "/index.html")) {
    const response = assets.respond(new Request("http://banto/"), path);
    expect(await response.bytes()).toEqual(await Bun.file(join(CLIENT, path)).bytes());
  }
});

test("every answer forbids what the page does not need", async () => {
  const paths = ["/", "/login", "/api/health", "/api/tasks", "/api/nothing", ...scripts()];
  const answers = [
    ...(await Promise.all(paths.map((path) => server.get(path)))),
    await server.get("/api/tasks", { anonymous: true }),
    await server.get("/api/tasks", { headers: { origin: "https://evil.example" } }),
    await server.post("/api/tasks", {}),
    await server.post("/api/logout"),
    await server.get("/login?code=wrong", { anonymous: true }),
  ];
  for (const { headers } of answers) {
    const policy = (headers.get("content-security-policy") ?? "").split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join()).not.toMatch(/'unsafe-(inline|eval)'|\*/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
});
