import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { ErrorBody } from "../../src/contract.ts";
import { type Operation, readOperations } from "../support/api-document.ts";
import { TestBoard } from "../support/board.ts";
import { readDatabase } from "../support/database.ts";
import { DEPTH } from "../support/depth.ts";
import { type FuzzRequest, requestArbitrary } from "../support/fuzz-requests.ts";

const AT_ONCE = 40;
const REQUESTS = DEPTH.fuzzBatches * AT_ONCE;
/** What Bun answers by itself to a request that is too long or not one at all, before we see it. */
const BUNS_OWN = [400, 413, 414, 431];

let board: TestBoard;
let operations: Operation[];
let ids: string[];
beforeAll(async () => {
  board = await TestBoard.startHere();
  operations = await readOperations(board.server);
  const tasks = await Promise.all(Array.from({ length: 8 }, () => board.addTask({ status: "active" })));
  ids = [board.project.id, ...tasks.map(({ id }) => id)];
});
afterAll(() => board[Symbol.asyncDispose]());

async function send(request: FuzzRequest): Promise<void> {
  const { method, path, headers, body } = request;
  const response = await fetch(board.server.url + path.slice(1), {
    method,
    redirect: "manual",
    headers: { ...(request.signedIn && { authorization: `Bearer ${board.server.token}` }), ...headers },
    ...(body !== undefined && { body }),
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return;
  }
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status} ${text} for ${describe(request)}`);
  if (response.status < 400 || method === "HEAD" || path.startsWith("/login")) return;
  if (text === "" && BUNS_OWN.includes(response.status)) return;
  const { error } = JSON.parse(text) as ErrorBody;
  if (error.message === "") throw new Error(`an error without a message for ${describe(request)}`);
}

const describe = ({ body, ...rest }: FuzzRequest) =>
  JSON.stringify({ ...rest, body: body instanceof Uint8Array ? [...body] : body }).slice(0, 4_000);

test(`no request out of ${REQUESTS} is answered with a 5xx`, async () => {
  let sent = 0;
  const batches = fc.array(requestArbitrary(operations, ids, [board.repository.path]), {
    minLength: AT_ONCE,
    maxLength: AT_ONCE,
  });
  const property = fc.asyncProperty(batches, async (requests) => {
    await Promise.all(requests.map(send));
    sent += requests.length;
  });
  // The offending request stands in the message; the seed that fast-check prints repeats the run.
  await fc.assert(property, { numRuns: DEPTH.fuzzBatches, endOnFailure: true });
  expect(sent).toBe(REQUESTS);

  expect((await board.server.get("/api/health")).status).toBe(200);
  expect((await board.server.get("/api/tasks")).status).toBe(200);
  expect(readDatabase(board.server).integrity).toEqual([["ok"]]);
  expect(board.server.output).not.toContain("unexpected error");
}, 120_000);
