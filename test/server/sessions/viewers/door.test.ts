import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLOSE } from "../../../../src/contract.ts";
import { expectFailure } from "../../../support/board.ts";
import { type BrowserLogin, signIn } from "../../../support/login.ts";
import { sendRaw } from "../../../support/raw-http.ts";
import { TerminalBoard, type TestSession } from "../../../support/terminal-board.ts";

let terminals: TerminalBoard;
let session: TestSession;
beforeAll(async () => {
  terminals = await TerminalBoard.startHere();
  session = await terminals.run(["cat"]);
});
afterAll(() => terminals[Symbol.asyncDispose]());

const UPGRADE = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version: 13",
];

const knock = (headers: string[], host = `127.0.0.1:${terminals.server.port}`, query = "") =>
  sendRaw(terminals.server.port, [
    `GET /api/tasks/${session.task.id}/terminal${query} HTTP/1.1`,
    `Host: ${host}`,
    ...UPGRADE,
    ...headers,
  ]);

const bearer = () => `Authorization: Bearer ${terminals.server.token}`;

test("a socket is opened for the token or a whole login, from our own page or from none, and for nobody else", async () => {
  const { port } = terminals.server;
  const login = await signIn(terminals.server);
  const half = `Cookie: ${login.cookie}`;
  const protocols = (...names: string[]) => `Sec-WebSocket-Protocol: ${names.join(", ")}`;
  const key = protocols("banto.terminal.v1", `banto.page-key.${login.pageKey}`);
  const cookie = `${half}\r\n${key}`;
  expect(await knock([bearer()])).toBe(101);
  expect(await knock([cookie])).toBe(101);
  expect(await knock([half, `X-Banto-Page-Key: ${login.pageKey}`])).toBe(101);
  expect(await knock([cookie, `Origin: http://127.0.0.1:${port}`, "Sec-Fetch-Site: same-origin"])).toBe(101);
  expect(await knock([half])).toBe(401);
  expect(await knock([half, protocols("banto.terminal.v1")])).toBe(401);
  expect(await knock([half, protocols("banto.terminal.v1", `banto.page-key.${"0".repeat(64)}`)])).toBe(401);
  expect(await knock([key])).toBe(401);
  expect(await knock([])).toBe(401);
  expect(await knock(["Authorization: Bearer 0000"])).toBe(401);
  expect(await knock([`Cookie: banto_${port}=0000`])).toBe(401);
  expect(await knock([bearer(), "Origin: https://evil.example"])).toBe(403);
  expect(await knock([cookie, "Origin: null"])).toBe(403);
  expect(await knock([cookie, "Origin: http://127.0.0.1:1"])).toBe(403);
  expect(await knock([cookie, "Sec-Fetch-Site: same-site"])).toBe(403);
  expect(await knock([bearer()], "evil.example")).toBe(421);
});

test("a request that does not make sense is refused before the upgrade", async () => {
  for (const query of [
    "?cols=1&rows=24",
    "?cols=501&rows=24",
    "?cols=80&rows=0",
    "?cols=80&rows=301",
    "?cols=x&rows=24",
    "?cols=80.5&rows=24",
    "?cols=80",
    "?rows=24",
    "?from=-1",
    "?from=x",
    "?from=1.5",
  ]) {
    expect({ query, status: await knock([bearer()], undefined, query) }).toEqual({ query, status: 422 });
  }
  expect(await knock([bearer(), "Sec-WebSocket-Protocol: mqtt, soap"])).toBe(422);
  expect(await knock([bearer(), "Sec-WebSocket-Protocol: mqtt, banto.terminal.v1"])).toBe(101);
});

test("without an upgrade the address says what it is", async () => {
  const path = `/api/tasks/${session.task.id}/terminal`;
  expectFailure(await terminals.server.get(path), "malformed", /WebSocket/);
});

test("signing out closes the sockets of that login with 4401, and no others", async () => {
  const { server } = terminals;
  const [mine, other] = [await signIn(server), await signIn(server)];
  const withCookie = ({ headers }: BrowserLogin, plain: boolean) =>
    terminals.watch(session.task.id, { plain, headers: { authorization: "", ...headers } });
  const leaving = [withCookie(mine, true), withCookie(mine, false)];
  const staying = [withCookie(other, false), terminals.watch(session.task.id)];
  await Promise.all([...leaving.map((viewer) => viewer.opened()), ...staying.map((viewer) => viewer.live())]);
  const answer = await server.request("POST", "/api/logout", { anonymous: true, headers: mine.headers });
  expect(answer.status).toBe(204);
  for (const viewer of leaving) await viewer.expectClose(CLOSE.signedOut);
  staying[0]?.type("still here\r");
  for (const viewer of staying) await viewer.sees("still here");
});
