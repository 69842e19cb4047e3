import { expect, test } from "bun:test";
import { withBrowser } from "../support/browser.ts";
import { newLink, signIn } from "../support/login.ts";
import { ownPort } from "../support/own-port.ts";
import { sendRaw } from "../support/raw-http.ts";
import { TerminalBoard } from "../support/terminal-board.ts";
import { Tab } from "../support/visitor.ts";

const browser = withBrowser();

/** Whoever listens on another port of the same host name: keeps the cookies it is sent, and serves an empty page. */
function thief() {
  const stolen: string[] = [];
  const server = Bun.serve({
    port: ownPort(),
    hostname: "127.0.0.1",
    fetch({ headers }) {
      stolen.push(headers.get("cookie") ?? "");
      return new Response("<!doctype html><title>thief</title>", {
        headers: { "content-type": "text/html" },
      });
    },
  });
  return { url: server.url.href, stolen, [Symbol.dispose]: () => void server.stop(true) };
}

/** What a page there can try, with the browser bringing the cookie along; gives what it got hold of. */
async function attack({ target, taskId }: { target: string; taskId: string }): Promise<string[]> {
  const loot: string[] = [];
  const got = (what: string) => void loot.push(what);
  const socket = (path: string, protocols: string[]) =>
    new Promise<void>((resolve) => {
      const line = new WebSocket(target.replace("http", "ws") + path, protocols);
      line.onopen = () => got(`a socket at ${path}`);
      line.onmessage = () => got(`a message from ${path}`);
      line.onclose = () => resolve();
      setTimeout(() => line.close(), 1_000);
    });
  const ask = (path: string, init: RequestInit) =>
    fetch(target + path, { credentials: "include", ...init }).then(
      async (response) => response.type !== "opaque" && got(`${path}: ${await response.text()}`),
      () => {}, // barred
    );
  const body = JSON.stringify({ title: "Planted" });
  await Promise.all([
    ask("api/tasks", {}),
    ask("api/tasks", { mode: "no-cors" }),
    ask(`api/tasks/${taskId}`, { method: "PATCH", body, headers: { "content-type": "application/json" } }),
    ask(`api/tasks/${taskId}`, { method: "POST", body, mode: "no-cors" }),
    ask(`api/tasks/${taskId}/complete`, { method: "POST", mode: "no-cors" }),
    ask(`api/tasks/${taskId}/terminal/input`, {
      method: "POST",
      mode: "no-cors",
      body: '{"text":"planted"}',
    }),
    ask("api/logout", { method: "POST", mode: "no-cors" }),
    socket("api/events", []),
    socket("api/events", ["banto.events.v1"]),
    socket(`api/tasks/${taskId}/terminal`, []),
    socket(`api/tasks/${taskId}/terminal`, ["banto.terminal.v1"]),
  ]);
  const key = localStorage.getItem("banto.page-key");
  if (key !== null) got(`the page key ${key}`);
  return loot;
}

/** As many cookies as the browser takes, of the largest size. */
function flood(attributes: string) {
  for (let index = 0; index < 200; index += 1)
    // biome-ignore lint/suspicious/noDocumentCookie: the other way is only there with TLS
    document.cookie = `junk${index}=${"x".repeat(4_080)}${attributes}`;
  return document.cookie.length;
}

/** What reaches it through documents of banto's: in a frame, in a window it opened, as the answer to a form. */
async function attackWithDocuments({ target, taskId }: { target: string; taskId: string }) {
  const loot: string[] = [];
  const reach = (place: string, window: Window | null) => {
    try {
      loot.push(`${place}: ${window?.document.body.textContent}`);
    } catch {
      // of another origin
    }
  };
  const frame = document.createElement("iframe");
  frame.name = "frame";
  const loaded = () => new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.body.append(frame);
  const framed = loaded();
  frame.src = target;
  await framed;
  reach("a frame", frame.contentWindow);
  for (const path of [
    `api/tasks/${taskId}/terminal/input`,
    `api/tasks/${taskId}/complete`,
    "api/logout",
    "login",
  ]) {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: target + path, target: "frame", enctype: "text/plain" });
    const field = document.createElement("input");
    Object.assign(field, { name: '{"text":"planted","x":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    const answered = loaded();
    form.submit();
    await answered;
    reach(path, frame.contentWindow);
  }
  return loot;
}

test("a page on another port gets the cookie, and can neither read, change nor connect anything with it", async () => {
  await using board = await TerminalBoard.startHere();
  const { server } = board;
  const { task } = await board.run(["cat"]);
  await using visitor = await browser.stranger(server);
  visitor.expectConsole(/CORS|WebSocket|40[13]|ERR_FAILED|Failed to load|frame-ancestors/);
  const tab = await visitor.follow(await newLink(server));
  using other = thief();

  const page = await visitor.context.newPage();
  await page.goto(other.url);
  const login = (await visitor.context.cookies(server.url)).find(({ name }) => name.startsWith("banto_"));
  const cookie = `${login?.name}=${login?.value}`;
  expect(other.stolen.join()).toContain(cookie);
  expect(await page.evaluate(attack, { target: server.url, taskId: task.id })).toEqual([]);

  const posted: number[] = [];
  page.on("response", (response) => response.request().method() === "POST" && posted.push(response.status()));
  expect(await page.evaluate(attackWithDocuments, { target: server.url, taskId: task.id })).toEqual([]);
  expect(posted).toEqual([403, 403, 403, 403]);
  const opening = visitor.context.waitForEvent("page");
  await page.evaluate((target) => Object.assign(window, { opened: open(target) }), server.url);
  const opened = new Tab(await opening);
  await opened.expectConnection("Live");
  expect(await opened.page.evaluate(() => opener)).toBeNull();
  expect(await page.evaluate(() => (window as unknown as { opened: Window }).opened.closed)).toBe(true);
  await opened.page.close();

  const replay = (method: string, path: string, ...headers: string[]) =>
    sendRaw(server.port, [
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      "Content-Length: 0",
      `Cookie: ${cookie}`,
      ...headers,
    ]);
  const upgrade = [
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  const strangersKey = (await signIn(server)).pageKey;
  for (const key of [[], ["X-Banto-Page-Key: x"], [`X-Banto-Page-Key: ${strangersKey}`]]) {
    expect(await replay("GET", "/api/tasks", ...key)).toBe(401);
    expect(await replay("DELETE", `/api/tasks/${task.id}`, ...key)).toBe(401);
    expect(await replay("POST", "/api/login-links", ...key)).toBe(401);
    expect(await replay("POST", "/api/logout", ...key)).toBe(401);
    expect(await replay("GET", "/api/events", ...upgrade, ...key)).toBe(401);
    expect(await replay("GET", `/api/tasks/${task.id}/terminal`, ...upgrade, ...key)).toBe(401);
  }

  // Nothing has happened, and the page goes on, however many cookies it is given.
  expect(await page.evaluate(flood, "")).toBeGreaterThan(600_000);
  expect(await tab.page.evaluate(() => localStorage.getItem("banto.page-key"))).toMatch(/^[0-9a-f]{64}$/);
  await tab.page.reload();
  await tab.expectConnection("Live");
  await tab.expectColumn("active", [task.title]);
  const { body } = await server.get<{ text: string }>(`/api/tasks/${task.id}/terminal/screen`);
  expect(body.text).not.toContain("planted");

  // Cookies as important as the login's push that out. A link brings it back.
  await page.evaluate(flood, "; Priority=High");
  await tab.page.reload();
  await tab.page.getByText("Sign in to banto").waitFor();
  await visitor.follow(await newLink(server));
});
