import { openapi } from "@elysia/openapi";
import { createSelectSchema } from "drizzle-typebox";
import { Elysia, t } from "elysia";
import { version } from "../../../package.json";
import { LIMITS } from "../../contract.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import { ActivitySchema, AgentOptionsSchema, AskSchema, CompletedFromSchema } from "./agent-schemas.ts";

type SchemaName = "Task" | "Project" | "SessionLog" | "Error";

/** Serves /api/openapi.json, made from the routes; rows are described by the tables they come from. */
export const documentation = () =>
  new Elysia().onAfterHandle(({ response }) => withKeys(response as ApiDocument)).use(document());

const document = () =>
  openapi({
    path: "/api/openapi",
    specPath: "/api/openapi.json",
    provider: null,
    documentation: {
      info: { title: "banto", version, description: "A kanban board whose cards run coding agents." },
      components: {
        schemas: {
          Task: plain(
            createSelectSchema(tasks, {
              activity: ActivitySchema,
              asks: AskSchema,
              agentOptions: t.Union([AgentOptionsSchema, t.Null()]),
              completedFrom: t.Union([CompletedFromSchema, t.Null()]),
            }),
          ),
          Project: plain(
            createSelectSchema(projects, { agentOptions: t.Union([AgentOptionsSchema, t.Null()]) }),
          ),
          SessionLog: plain(createSelectSchema(sessionLogs)),
          Error: {
            type: "object",
            required: ["error"],
            properties: {
              error: {
                type: "object",
                required: ["code", "message"],
                properties: { code: { type: "string" }, message: { type: "string" } },
              },
            },
          },
        },
        securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      },
      security: [{ bearer: [] }],
    },
  });

/** What a route answers, for the document only: answers are typed by their handlers and not checked again. */
export function answers(status: number, name?: SchemaName | [SchemaName]) {
  const schema = Array.isArray(name) ? { type: "array" as const, items: ref(name[0]) } : name && ref(name);
  return {
    responses: {
      [status]: { description: "", ...(schema && { content: { "application/json": { schema } } }) },
      "4XX": { description: "", content: { "application/json": { schema: ref("Error") } } },
    },
  };
}

export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** For the detail of a route that comes to the same when it is done again. */
export const repeatable = { "x-repeatable": true } as const;

/** For the detail of a route whose answers must not be kept, or whose body is a stream. */
export const unkeyed = { "x-unkeyed": true } as const;

interface RouteDetail {
  responses?: Record<string, { content?: { "application/json"?: { schema: { $ref?: string } } } }>;
  parameters?: object[];
  "x-repeatable"?: boolean;
  "x-unkeyed"?: boolean;
}

const ROWS = ["Task", "Project"] as const;

/** What it takes to answer a route's request twice; undefined where that is not done. */
export function retryRules(method: string, detail: RouteDetail = {}) {
  if (!CHANGES.includes(method.toUpperCase()) || detail["x-unkeyed"]) return undefined;
  const [status, response] = Object.entries(detail.responses ?? {}).find(([code]) => code !== "4XX") ?? [];
  const schema = response?.content?.["application/json"]?.schema;
  return {
    status: Number(status ?? 200),
    /** Which row it changes and answers with. */
    row: ROWS.find((name) => schema?.$ref === ref(name).$ref),
    isRepeatable: detail["x-repeatable"] ?? false,
  };
}

const CHANGES = ["POST", "PUT", "PATCH", "DELETE"];

interface ApiDocument {
  paths: Record<string, Record<string, RouteDetail>>;
}

/** A header that every change takes, though no route names it. */
function withKeys({ paths, ...rest }: ApiDocument): ApiDocument {
  const entries = Object.entries(paths).map(([path, operations]) => {
    const named = Object.entries(operations).map(([method, operation]) => [
      method,
      withKey(method, operation),
    ]);
    return [path, Object.fromEntries(named)];
  });
  return { ...rest, paths: Object.fromEntries(entries) };
}

function withKey(method: string, operation: RouteDetail): RouteDetail {
  const rules = retryRules(method, operation);
  if (rules === undefined) return operation;
  const key = {
    ...{ name: IDEMPOTENCY_KEY, in: "header", required: false },
    schema: { type: "string", minLength: 1, maxLength: LIMITS.idempotencyKey },
    description: `The same key within a day gets the first answer again. ${whenLost(rules)} Refusals are not kept; 422 when another request had the key.`,
  };
  return { ...operation, parameters: [...(operation.parameters ?? []), key] };
}

function whenLost({ row, isRepeatable }: NonNullable<ReturnType<typeof retryRules>>): string {
  if (isRepeatable) return "If the server was killed before it answered, it is done again.";
  if (row !== undefined) return `If the server was killed before it answered: the ${row} as it is by then.`;
  return "If the server was killed before it answered: 409, for nobody knows whether it was done.";
}

const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** Without TypeBox's symbols. */
const plain = (schema: object) => JSON.parse(JSON.stringify(schema));
