// Requests made from the API document: some that fit, most that nearly do, some that are garbage.

import fc from "fast-check";
import type { Operation, Schema } from "./api-document.ts";

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  signedIn: boolean;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const EXTRA_PATHS = [
  "/login",
  "/login?code=x",
  "/",
  "/api",
  "/api/nothing",
  "/api/tasks/",
  "/api/openapi.json",
];
const HOSTILE = [
  "",
  " ",
  "\0",
  "\ud800",
  "\udfff\ud800",
  "\u2028",
  "\u001b[2J",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "~",
  "~root",
  "/",
  "/dev/zero",
  "'; DROP TABLE tasks; --",
  "%00",
  "%",
  "🎉".repeat(40),
  "x".repeat(501),
  "x".repeat(70_000),
  "a0",
  "A00000000000000000000000000",
  "zzzzzzzzzzzzzzzzzzzzzzzzzzz",
  "a0V",
  "backlog",
  "active",
  "claude",
  "main",
  "--help",
];

const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.string({ unit: "binary" }));
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -1, 1e308, [], {}),
);

function valueFor(name: string, schema: Schema, ids: string[], paths: string[]): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (name === "projectId") return fc.constantFrom(...ids.slice(0, 1), "nowhere");
  if (name === "path") return fc.constantFrom(...paths, "/nowhere", "/tmp");
  if (name === "position") return fc.stringMatching(/^[a-c][0-9A-Za-z]{1,6}$/);
  const types = [schema.type ?? (schema.anyOf ?? []).map(({ type }) => type)].flat();
  if (types.includes("boolean")) return fc.boolean();
  if (types.includes("null")) return fc.option(fc.string());
  return fc.string({ minLength: 1, maxLength: 40 });
}

/** An object of the schema's own fields, each right, wrong or absent, and now and then one more. */
function objectFor(schema: Schema, ids: string[], paths: string[]): fc.Arbitrary<object> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const right = valueFor(name, field, ids, paths);
    const value = fc.oneof({ arbitrary: right, weight: 8 }, { arbitrary: anything, weight: 1 });
    return [name, value] as const;
  });
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const more = fc.option(fc.dictionary(text, anything, { maxKeys: 2 }), { freq: 8 });
  return fc.tuple(known, more).map(([object, extra]) => ({ ...object, ...extra }));
}

function bodyFor(
  schema: Schema | undefined,
  ids: string[],
  paths: string[],
): fc.Arbitrary<FuzzRequest["body"]> {
  const fitting = (schema === undefined ? anything : objectFor(schema, ids, paths)).map((value) =>
    JSON.stringify(value),
  );
  return fc.oneof(
    { arbitrary: fitting, weight: 12 },
    { arbitrary: fc.json(), weight: 2 },
    { arbitrary: fc.tuple(fitting, fc.nat(200)).map(([json = "", cut]) => json.slice(0, cut)), weight: 1 },
    { arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)), weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 1 },
  );
}

function queryFor(operation: Operation): fc.Arbitrary<string> {
  const names = [...operation.query.map(({ name }) => name), "x"];
  const value = fc.oneof(
    text,
    fc.constantFrom(...operation.query.flatMap(({ schema }) => schema.enum ?? []), "1"),
  );
  const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), text), value);
  const encoded = fc
    .array(pair, { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(String(value))}`).join("&"));
  return fc.option(fc.oneof(encoded, fc.stringMatching(/^[%&=a-z+;]{0,12}$/)), { nil: "", freq: 3 });
}

const encode = (value: string) => encodeURIComponent(value.toWellFormed());

/** Headers in the characters that HTTP allows. */
const headersFor = (hasBody: boolean): fc.Arbitrary<Record<string, string>> => {
  const printable = fc.stringMatching(/^[!-~]{0,40}$/);
  const type = fc.oneof(
    { arbitrary: fc.constant("application/json"), weight: 20 },
    {
      arbitrary: fc.oneof(printable, fc.constantFrom("text/plain", "application/json; charset=utf-16")),
      weight: 1,
    },
  );
  const odd = fc.record(
    {
      "last-event-id": printable,
      cookie: printable,
      "accept-encoding": printable,
      range: printable,
      "if-none-match": printable,
    },
    { requiredKeys: [] },
  );
  // Few keys, so that many are used again, mostly for other requests.
  const key = fc.oneof(fc.constantFrom("a", "b", "c", "x".repeat(101)), printable);
  const keyed = fc.option(fc.record({ "idempotency-key": key }), { nil: {}, freq: 3 });
  const seldom = fc.option(odd, { nil: {}, freq: 5 });
  return fc
    .tuple(seldom, keyed, type)
    .map(([headers, key, type]) => ({ ...headers, ...key, ...(hasBody && { "content-type": type }) }));
};

function requestFor(operation: Operation, ids: string[], paths: string[]): fc.Arbitrary<FuzzRequest> {
  const own = { arbitrary: fc.constant(operation.method), weight: 9 };
  const id = fc.oneof(
    { arbitrary: fc.constantFrom(...ids), weight: 6 },
    { arbitrary: text.map(encode), weight: 1 },
  );
  return fc
    .record({
      method: fc.oneof(own, { arbitrary: fc.constantFrom(...METHODS), weight: 1 }),
      path: fc
        .tuple(id, queryFor(operation))
        .map(([id, query]) => operation.path.replace(/\{\w+\}/g, () => id) + (query && `?${query}`)),
      body: bodyFor(operation.body, ids, paths),
      signedIn: fc.oneof({ arbitrary: fc.constant(true), weight: 19 }, fc.constant(false)),
    })
    .chain((request) => {
      const body = ["GET", "HEAD"].includes(request.method) ? undefined : request.body;
      return headersFor(body !== undefined).map((headers) => ({ ...request, body, headers }));
    });
}

export function requestArbitrary(
  operations: Operation[],
  ids: string[],
  paths: string[],
): fc.Arbitrary<FuzzRequest> {
  const extra = EXTRA_PATHS.flatMap((path) =>
    ["GET", "POST"].map((method) => ({ method, path, body: undefined, query: [], header: [] })),
  );
  const documented = operations.map((operation) => requestFor(operation, ids, paths));
  return fc.oneof(
    { arbitrary: fc.oneof(...documented), weight: 9 },
    { arbitrary: fc.oneof(...extra.map((operation) => requestFor(operation, ids, paths))), weight: 1 },
  );
}
