import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { CLOSE, LIMITS } from "../../../src/contract.ts";
import { TestBoard } from "../../support/board.ts";
import { type BoardEvent, EVENT_WAYS } from "../../support/events.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { RawViewer } from "../../support/raw-viewer.ts";

let board: TestBoard;
beforeAll(async () => {
  board = await TestBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

const isAbout = (id: string) => (event: BoardEvent) => event.data.id === id;

describe.each(EVENT_WAYS)("the event %s", (way) => {
  test("begins with a reset, and then tells each change with the new row", async () => {
    using reader = await board.server.events(undefined, way);
    expect((await reader.next())?.type).toBe("reset");
    const task = await board.addTask({ title: "Watched" });
    expect(await reader.next()).toMatchObject({ type: "task", data: task });
    const renamed = (await board.server.patch(`/api/tasks/${task.id}`, { title: "Renamed" })).body;
    expect((await reader.next())?.data).toEqual(renamed as Record<string, unknown>);
    await board.server.delete(`/api/tasks/${task.id}`);
    expect((await reader.next())?.data).toMatchObject({ id: task.id, deletedAt: expect.any(String) });
    await board.server.post(`/api/tasks/${task.id}/restore`);
    expect((await reader.next())?.data).toMatchObject({ id: task.id, deletedAt: null });
    await board.server.patch(`/api/projects/${board.project.id}`, { name: "Board" });
    expect(await reader.next()).toMatchObject({
      type: "project",
      data: { id: board.project.id, name: "Board" },
    });
  });

  test("tells nothing of a change that was refused", async () => {
    using reader = await board.server.events(undefined, way);
    await board.server.post("/api/tasks", { projectId: board.project.id, title: "" });
    const task = await board.addTask();
    const seen = await reader.until(isAbout(task.id));
    expect(seen.map(({ type }) => type)).toEqual(["reset", "task"]);
  });

  test("keeps two clients in step, in the order of the changes", async () => {
    using first = await board.server.events(undefined, way);
    using second = await board.server.events(undefined, way);
    const tasks = await Promise.all(
      Array.from({ length: 100 }, (_, number) => board.addTask({ title: `Task ${number}` })),
    );
    const last = await board.addTask({ title: "Last" });
    const [one, two] = await Promise.all([first.until(isAbout(last.id)), second.until(isAbout(last.id))]);
    expect(one.slice(1)).toEqual(two.slice(1));
    expect(new Set(one.map(({ data }) => data.id))).toEqual(
      new Set([undefined, last.id, ...tasks.map(({ id }) => id)]),
    );
  });
});

test("the stream is never kept by a cache and wants the token like any route", async () => {
  const response = await fetch(`${board.server.url}api/events`, {
    headers: { authorization: `Bearer ${board.server.token}` },
  });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(response.headers.get("cache-control")).toBe("no-store");
  await response.body?.cancel();
  expect((await board.server.get("/api/events", { anonymous: true })).status).toBe(401);
});

test("asking for the stream's head only ends at once, and listens to nothing", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => board.server.request("HEAD", "/api/events")),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

describe.each(EVENT_WAYS)("a client that comes back to the %s", (way) => {
  test("misses nothing and gets nothing twice, however often it is cut off", async () => {
    using first = await board.server.events(undefined, way);
    await first.next();
    let last = first.lastEventId;
    const made = Array.from({ length: 60 }, (_, number) => `Round ${number}`);
    const adding = (async () => {
      for (const title of made) await board.addTask({ title });
    })();
    const seen: unknown[] = [];
    while (seen.length < made.length) {
      using reader = await board.server.events(last, way);
      for (let count = 0; count < 7 && seen.length < made.length; count += 1) {
        seen.push((await reader.next())?.data.title);
        last = reader.lastEventId;
      }
    }
    await adding;
    expect(seen).toEqual(made);
  });

  test("with the last event there was gets only what is new", async () => {
    using before = await board.server.events(undefined, way);
    const task = await board.addTask();
    await before.until(isAbout(task.id));
    using after = await board.server.events(before.lastEventId, way);
    const next = await board.addTask();
    expect(await after.next()).toMatchObject({ type: "task", data: { id: next.id } });
  });

  test("after more changes than are kept is told to fetch anew", async () => {
    using before = await board.server.events(undefined, way);
    await before.next();
    const task = await board.addTask();
    for (let count = 0; count < 1_005; count += 1) {
      await board.server.patch(`/api/tasks/${task.id}`, { pinned: count % 2 === 0 });
    }
    using after = await board.server.events(before.lastEventId, way);
    expect((await after.next())?.type).toBe("reset");
  });

  test("after more bytes than one client may queue is told to fetch anew", async () => {
    using before = await board.server.events(undefined, way);
    await before.next();
    const task = await board.addTask();
    for (let count = 0; count < 100; count += 1) {
      const description = String(count % 10).repeat(LIMITS.description);
      await board.server.patch(`/api/tasks/${task.id}`, { description });
    }
    using after = await board.server.events(before.lastEventId, way);
    expect((await after.next())?.type).toBe("reset");
    const next = await board.addTask();
    expect(await after.next()).toMatchObject({ type: "task", data: { id: next.id } });
  });

  test.each(["", "0", "nonsense", "x-1", "-1", "999999999999"])(
    "with the unknown id %j is told so",
    async (id) => {
      using reader = await board.server.events(id, way);
      expect((await reader.next())?.type).toBe("reset");
    },
  );

  test("after the server restarted is told to fetch anew", async () => {
    await using own = await TestBoard.start();
    using before = await own.server.events(undefined, way);
    const task = await own.addTask();
    await before.until(isAbout(task.id));
    await own.server.kill("SIGKILL");
    await own.server.restart();
    using after = await own.server.events(before.lastEventId, way);
    expect((await after.next())?.type).toBe("reset");
    expect((await own.server.get(`/api/tasks/${task.id}`)).body).toEqual(task);
  });
});

describe("an upgrade", () => {
  const ask = (method: string, headers: string[]) =>
    sendRaw(board.server.port, [
      `${method} /api/events HTTP/1.1`,
      `Host: 127.0.0.1:${board.server.port}`,
      `Authorization: Bearer ${board.server.token}`,
      "Connection: Upgrade",
      ...headers,
    ]);
  const handshake = ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"];

  test("is made to a WebSocket, however that is spelt", async () => {
    expect(await ask("GET", ["Upgrade: websocket", ...handshake])).toBe(101);
    expect(await ask("GET", ["Upgrade: WebSocket", ...handshake])).toBe(101);
  });

  test("to anything else is left alone, and so is that of a head", async () => {
    expect(await ask("GET", ["Upgrade: h2c"])).toBe(200);
    expect(await ask("HEAD", ["Upgrade: websocket", ...handshake])).toBe(200);
  });

  test("without a key is refused", async () => {
    expect(await ask("GET", ["Upgrade: websocket"])).toBe(400);
  });
});

test("whatever a client says on its socket is left alone", async () => {
  using viewer = await RawViewer.connect(board.server.port, "/api/events", [
    `Authorization: Bearer ${board.server.token}`,
  ]);
  viewer.send(Buffer.from("hello?"));
  using reader = await board.server.events(undefined, "socket");
  const task = await board.addTask();
  await reader.until(isAbout(task.id));
  expect(viewer.isClosed).toBe(false);
});

test("a client that stops reading is cut off and slows nobody down", async () => {
  await using own = await TestBoard.start();
  const stalled = await Promise.all(Array.from({ length: 5 }, () => stalledClient(own)));
  using socket = await RawViewer.connect(own.server.port, "/api/events", [
    `Authorization: Bearer ${own.server.token}`,
  ]);
  socket.stall();
  using watching = await own.server.events();
  const seen = watching.until(({ data }) => data.title === "last");
  const task = await own.addTask();
  for (let count = 0; count < 400; count += 1) {
    const description = `${count} `.padEnd(LIMITS.description, "d");
    expect((await own.server.patch(`/api/tasks/${task.id}`, { description })).status).toBe(200);
  }
  await own.server.patch(`/api/tasks/${task.id}`, { title: "last" });
  expect((await seen).length).toBe(403);
  // 26 MB went to each; what the server holds for them is bounded.
  for (const stream of stalled) expect(await endOf(stream)).toBeLessThan(16 << 20);
  socket.resume();
  // With the code, unless it takes too long to read even that.
  await socket.when(({ isClosed }) => isClosed, "its end");
  expect(socket.closeCode ?? CLOSE.tooSlow).toBe(CLOSE.tooSlow);
  expect(socket.received).toBeLessThan(16 << 20);
});

/** Asks for the stream and then never reads. */
function stalledClient({ server }: TestBoard): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => {
      const head = `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
      socket.write(`${head}Connection: close\r\nAuthorization: Bearer ${server.token}\r\n\r\n`, () =>
        resolve(socket),
      );
      socket.pause();
    });
    socket.on("error", reject);
  });
}

/** Reads what there still is, and gives how much that was once the server has ended it. */
function endOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let size = 0;
    socket.on("data", (chunk) => {
      size += chunk.length;
    });
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve(size));
    socket.resume();
  });
}
