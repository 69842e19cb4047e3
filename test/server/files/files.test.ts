import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "../../../src/contract.ts";
import type { StoredFile } from "../../../src/server/files/task-files.ts";
import { readOperations } from "../../support/api-document.ts";
import { expectFailure } from "../../support/board.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(60_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

type Body = Uint8Array | ReadableStream;
const give = (id: string, name: string, body: Body, type = "image/png", { server } = board) =>
  server.request<StoredFile>("POST", `/api/tasks/${id}/files?name=${encodeURIComponent(name)}`, {
    body,
    headers: { "content-type": type },
  });
const text = (content: string) => new TextEncoder().encode(content);
const arriving = ({ server } = board) => readdirSync(server.inData("files/arriving"));

test("a file is kept whole, privately, beside the worktree, and git does not see it", async () => {
  const task = await board.running();
  const bytes = crypto.getRandomValues(new Uint8Array(65_536)).slice();
  const { status, body } = await give(task.id, "../a b$(x).png", bytes);
  expect(status).toBe(201);
  expect(body).toEqual({ name: "a-b-x.png", path: expect.any(String), size: bytes.length });
  expect(dirname(body.path)).toBe(join(board.server.dataDir, "files", task.id));
  expect(body.path).toMatch(/\/[0-9a-z]{16}-a-b-x\.png$/);
  expect(Buffer.from(readFileSync(body.path)).equals(bytes)).toBe(true);
  expect(statSync(body.path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(body.path)).mode & 0o777).toBe(0o700);
  expect(body.path.startsWith(`${task.worktreePath}/`)).toBe(false);
  const again = await give(task.id, "../a b$(x).png", bytes, "");
  expect(again.body.path).not.toBe(body.path);
  expect(arriving()).toEqual([]);
});

test("a large file in chunks is written as it comes", async () => {
  const task = await board.running();
  const chunk = new Uint8Array(1 << 20).fill(7);
  let left = 40;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
  });
  const { status, body } = await give(task.id, "large.bin", stream);
  expect({ status, size: body.size }).toEqual({ status: 201, size: 40 << 20 });
  expect(statSync(body.path).size).toBe(40 << 20);
});

describe("a file is refused", () => {
  test("that is too large, with or without a length, and nothing of it stays", async () => {
    const task = await board.running();
    const announced = ["Content-Length: 70000000", `Authorization: Bearer ${board.server.token}`];
    const request = `POST /api/tasks/${task.id}/files HTTP/1.1`;
    expect(await sendRaw(board.server.port, [request, hostLine(), ...announced])).toBe(413);
    const chunk = new Uint8Array(1 << 20);
    let left = (LIMITS.fileBytes >> 20) + 1;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    expectFailure(await give(task.id, "x", stream), "too_large", /larger than 64 MB; copy it/);
    expect(arriving()).toEqual([]);
    expect(existsSync(board.server.inData(`files/${task.id}`))).toBe(false);
  });

  test("that is empty, or has a name beyond all bounds", async () => {
    const task = await board.running();
    expectFailure(await give(task.id, "x", new Uint8Array()), "invalid", "The file is empty");
    expectFailure(await give(task.id, "x".repeat(1_001), text("x")), "invalid", /^name: must be at most/);
  });

  test("for a task that is not there or has no worktree", async () => {
    expectFailure(await give("nothing", "x", text("x")), "not_found", "There is no task");
    expectFailure(await give("..%2f..", "x", text("x")), "not_found", "There is no task");
    const idle = await board.addTask();
    expectFailure(await give(idle.id, "x", text("x")), "conflict", "has no worktree yet");
  });

  test("once there are too many", async () => {
    const task = await board.running();
    for (let i = 0; i < LIMITS.filesPerTask; i += 100)
      await Promise.all(Array.from({ length: 100 }, () => give(task.id, "x", text("x"))));
    expectFailure(await give(task.id, "x", text("x")), "invalid", "already has 500 files");
  });
});

const hostLine = () => `Host: 127.0.0.1:${board.server.port}`;

test("files go to the trash with the worktree, come back to the same place, and are purged with it", async () => {
  const task = await board.running();
  const { path } = (await give(task.id, "note.txt", text("keep me"))).body;
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(existsSync(path)).toBe(false);
  const [log] = await board.logs(task.id);
  const trashed = board.server.inData(`trash/${log?.trash}/files`);
  expect(readdirSync(trashed)).toHaveLength(1);
  await board.restore(task.id);
  expect(readFileSync(path, "utf8")).toBe("keep me");
  expect(existsSync(dirname(trashed))).toBe(false);

  expect((await board.server.delete(`/api/tasks/${task.id}`)).status).toBe(200);
  const trash = async () =>
    (await board.server.get<{ id: string; taskId: string }[]>("/api/trash")).body.find(
      ({ taskId }) => taskId === task.id,
    );
  let entry = await trash();
  while (entry === undefined) entry = await trash();
  expect(existsSync(path)).toBe(false);
  expect((await board.server.delete(`/api/trash/${entry?.id}`)).status).toBe(204);
  expect(existsSync(board.server.inData(`trash/${entry?.id}`))).toBe(false);
  expect(existsSync(board.server.inData(`files/${task.id}`))).toBe(false);
});

test("what was half there when the server died is gone when it is back", async () => {
  await using own = await SessionBoard.start();
  const task = await own.running();
  const { promise: stalled, resolve } = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
    pull: () => stalled,
  });
  const sent = give(task.id, "half.bin", stream, undefined, own).catch(() => undefined);
  while (arriving(own).length === 0) await Bun.sleep(5);
  await own.server.kill("SIGKILL");
  resolve();
  await sent;
  await own.server.restart();
  expect(arriving(own)).toEqual([]);
  expect((await give(task.id, "whole.bin", text("x"), undefined, own)).status).toBe(201);
});

test("the API document says what the route takes", async () => {
  const route = (await readOperations(board.server)).find(({ path }) => path === "/api/tasks/{id}/files");
  expect(route).toMatchObject({ method: "POST", query: [{ name: "name" }] });
});
