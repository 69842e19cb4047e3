import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LIMITS } from "../../../src/contract.ts";
import { expectFailure, TestBoard } from "../../support/board.ts";

let board: TestBoard;
beforeAll(async () => {
  board = await TestBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

const bytes = (text: string) => new TextEncoder().encode(text);
const post = (body: Uint8Array | ReadableStream, headers?: Record<string, string>) =>
  board.server.request("POST", "/api/tasks", { body, ...(headers && { headers }) });

describe("a body that can't be read is refused:", () => {
  test.each(["{", "{'title':1}", "undefined", '{"a":1}{"b":2}', "<task/>", "\u0000", '{"title":"\u0001"}'])(
    "invalid JSON such as %j",
    async (text) => {
      expectFailure(await post(bytes(text)), "malformed", "not valid JSON");
    },
  );

  test("bytes that are not UTF-8", async () => {
    const body = Buffer.concat([bytes('{"title":"'), Buffer.from([0xff, 0xfe, 0xc0]), bytes('"}')]);
    expectFailure(await post(body), "malformed", "not valid UTF-8");
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "json",
    "",
  ])("the content type %j", async (type) => {
    const body = bytes(JSON.stringify({ projectId: board.project.id, title: "x" }));
    expectFailure(await post(body, { "content-type": type }), "malformed", "application/json");
  });

  test.each([
    ["none at all", ""],
    ["blank", "  "],
  ])("%s", async (_, text) => {
    const answer = await post(bytes(text));
    expect(answer.status).toBeOneOf([400, 422]);
  });
});

test("JSON is taken with a charset and in any case", async () => {
  const body = bytes(JSON.stringify({ projectId: board.project.id, title: "x" }));
  const { status } = await post(body, { "content-type": "Application/JSON; charset=utf-8" });
  expect(status).toBe(201);
});

describe("a body over the limit is refused", () => {
  const large = bytes(JSON.stringify({ title: "t".repeat(LIMITS.bodyBytes) }));

  test("when its length is announced", async () => {
    expectFailure(await post(large), "too_large", String(LIMITS.bodyBytes));
  });

  test("when it comes in chunks without a length", async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let part = 0; part < 40; part += 1) controller.enqueue(bytes(" ".repeat(65_536)));
        controller.close();
      },
    });
    expectFailure(await post(stream), "too_large", String(LIMITS.bodyBytes));
  });

  test("when it is far over", async () => {
    const answer = await post(new Uint8Array(32 << 20)).catch((error: unknown) => error);
    // The server may close the connection before all of it was sent.
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ status: 413 });
    expect((await board.server.get("/api/health")).status).toBe(200);
  });

  test("a body of exactly the limit is read", async () => {
    const head = `{"projectId":"${board.project.id}","title":"x","description":"`;
    const tail = '"}';
    const fill = LIMITS.bodyBytes - head.length - tail.length;
    const answer = await post(bytes(`${head}${"d".repeat(fill)}${tail}`));
    expectFailure(answer, "invalid", /^description: must be at most/);
  });
});

test("a body nested as deep as it can be is refused like any other", async () => {
  const depth = 200_000;
  const answer = await post(bytes(`{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`));
  expect(answer.status).toBeOneOf([400, 422]);
});

test("a field named __proto__ or constructor is unknown like any other", async () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const text = `{"projectId":"${board.project.id}","title":"x","${name}":{"pinned":true}}`;
    expectFailure(await post(bytes(text)), "invalid", `${name}: is not a known field`);
  }
});

test("a field whose value pretends to be an object with methods is refused like any other", async () => {
  for (const name of ["toString", "valueOf"]) {
    const fields = { projectId: board.project.id, title: [{ [name]: "x" }] };
    expectFailure(await post(bytes(JSON.stringify(fields))), "invalid", name);
  }
});

test("a body where none belongs does no harm", async () => {
  const task = await board.addTask();
  const answer = await board.server.request("DELETE", `/api/tasks/${task.id}`, { body: { any: "thing" } });
  expect(answer.status).toBe(200);
});
