// A request with an Idempotency-Key is done once, however often it is sent: sending it again within a day gets the
// first answer. How a route is protected depends on what it documents (see `answers`):
//
// - It answers with a row: the key is part of the transaction that changes the row. If the server is killed before it
//   answers, a retry gets the row as it is by then.
// - It is `repeatable`: only its answer is stored. A retry that finds none does it again.
// - Anything else: the key is on disk before it starts. A retry that finds no answer is told that nobody knows.
//
// A refusal changes nothing and is not stored, so the same key may be tried again.

import type { AnyElysia } from "elysia";
import { LIMITS } from "../../contract.ts";
import { type RequestScope, requestScope } from "../../db/open.ts";
import { sha256 } from "../auth/token.ts";
import { DomainError } from "../errors.ts";
import type { Log } from "../log.ts";
import { IDEMPOTENCY_KEY, retryRules } from "./documentation.ts";
import { rawPath } from "./door.ts";
import type { IdempotencyKeys, KeyedRequest } from "./idempotency-keys.ts";
import { answered } from "./resource.ts";

const KEY = new RegExp(`^[ -~]{1,${LIMITS.idempotencyKey}}$`);

interface IdempotencyParts {
  keys: IdempotencyKeys;
  token: string;
  log: Log;
  /** Called after each step that is on disk. Tests end the process there. */
  checkpoint(step: string): void;
}

interface Scope extends RequestScope {
  finish?(response: Response | undefined): Promise<void>;
}

type Handle = (...args: unknown[]) => Promise<Response>;

interface Asked {
  rules: NonNullable<ReturnType<typeof retryRules>>;
  /** The id of the row in the URL. */
  rowId: string | undefined;
}

/** For the routes that are added after it. */
export const idempotency =
  ({ keys, token, log, checkpoint }: IdempotencyParts) =>
  <App extends AnyElysia>(app: App): App => {
    const scopes = new WeakMap<Request, Scope>();
    const underWay = new Map<string, { request: string; isOver: Promise<void> }>();

    const rulesOf = (method: string, route: string) =>
      retryRules(method, app.routes.find((one) => one.method === method && one.path === route)?.hooks.detail);

    const digest = ({ method, url }: Request, body: unknown) =>
      sha256(`${token}:${JSON.stringify([method, rawPath(url), body ?? null])}`);

    /** The answer to an earlier attempt; undefined if the request has to be done. */
    function firstAnswer(keyed: KeyedRequest, { rules: { status, row } }: Asked): Response | undefined {
      const known = keys.find(keyed.key);
      if (known === undefined) return undefined;
      requireSame(keyed, known);
      if (known.status !== null) return respond(known.status, known.body);
      if (row === undefined || known.rowId === null) throw nobodyKnows();
      const body = JSON.stringify(keys.row(row, known.rowId));
      keys.answered(keyed, status, body);
      return respond(status, body);
    }

    function begin(keyed: KeyedRequest, asked: Asked): Scope {
      const { row, isRepeatable } = asked.rules;
      const { promise: isOver, resolve } = Promise.withResolvers<void>();
      let isRecorded = row === undefined && !isRepeatable;
      // What continues in the background after the answer is not part of the request.
      let isOpen = !isRepeatable && !isRecorded;
      if (isRecorded) keys.recordAhead(keyed);
      underWay.set(keyed.key, { request: keyed.request, isOver });
      return {
        record(tx, result) {
          if (!isOpen) return;
          keys.record(tx, keyed, asked.rowId ?? (result as { id?: string } | undefined)?.id);
          isOpen = false;
          isRecorded = true;
        },
        async finish(response) {
          isOpen = false;
          try {
            if (response?.ok) {
              const body = await response.clone().text();
              checkpoint("request:done");
              keys.answered(keyed, response.status, body);
              checkpoint("request:answered");
            } else if (isRecorded) keys.forget(keyed.key);
          } catch (error) {
            log.error("keeping what a request was answered", error); // a retry gets the row
          } finally {
            underWay.delete(keyed.key);
            resolve();
          }
        },
      };
    }

    app.wrap(((handle: Handle, request: Request) => {
      if (!request.headers.has(IDEMPOTENCY_KEY)) return handle;
      return async (...args: unknown[]) => {
        const scope: Scope = {};
        scopes.set(request, scope);
        let response: Response | undefined;
        try {
          response = await requestScope.run(scope, () => handle(...args));
          return response;
        } finally {
          await scope.finish?.(response);
        }
      };
    }) as never);

    (app as AnyElysia).onBeforeHandle(async ({ request, server, body, route, params }) => {
      const key = request.headers.get(IDEMPOTENCY_KEY);
      const scope = scopes.get(request);
      if (key === null || scope === undefined) return undefined;
      const rules = rulesOf(request.method, route);
      if (rules === undefined) return undefined;
      if (!KEY.test(key)) throw badKey();
      const asked = { rules, rowId: params?.id };
      const keyed = { key, request: digest(request, body) };
      for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
        requireSame(keyed, other);
        server?.timeout(request, 0);
        await other.isOver;
        answered({ server, request });
      }
      // No `await` between this check and `begin`, or two requests could both begin.
      const first = firstAnswer(keyed, asked);
      if (first === undefined) Object.assign(scope, begin(keyed, asked));
      return first;
    });

    return app;
  };

const respond = (status: number, body: string | null) =>
  new Response(body || null, {
    status,
    ...(body && { headers: { "content-type": "application/json;charset=utf-8" } }),
  });

function requireSame(keyed: KeyedRequest, { request }: { request: string }) {
  if (keyed.request === request) return;
  throw new DomainError("invalid", "This Idempotency-Key belongs to another request; use a new one.");
}

const badKey = () =>
  new DomainError(
    "malformed",
    `Idempotency-Key: must be 1 to ${LIMITS.idempotencyKey} printable ASCII characters.`,
  );

const nobodyKnows = () =>
  new DomainError(
    "conflict",
    "banto stopped while doing this and can't tell whether it was done. Check, and try again if it wasn't.",
  );
