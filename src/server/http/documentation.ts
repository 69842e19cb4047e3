import { openapi } from "@elysia/openapi";
import { createSelectSchema } from "drizzle-typebox";
import { Elysia, t } from "elysia";
import { version } from "../../../package.json";
import { LIMITS } from "../../contract.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import {
  ActivitySchema,
  AgentOptionsSchema,
  AskSchema,
  CompletedFromSchema,
  OtherOptionsSchema,
  PromptsSchema,
} from "./agent-schemas.ts";

type SchemaName = "Task" | "Project" | "SessionLog" | "Error";

/** Serves /api/openapi.json, generated from the routes. Rows are described by their tables. */
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
          Task: plain(taskSchema()),
          Project: plain(
            createSelectSchema(projects, {
              agentOptions: t.Union([AgentOptionsSchema, t.Null()]),
              otherOptions: OtherOptionsSchema,
            }),
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

/** The schema of `TaskRow`. */
function taskSchema() {
  const { worktree, ...columns } = createSelectSchema(tasks, {
    activity: ActivitySchema,
    asks: AskSchema,
    prompts: PromptsSchema,
    agentOptions: t.Union([AgentOptionsSchema, t.Null()]),
    otherOptions: OtherOptionsSchema,
    completedFrom: t.Union([CompletedFromSchema, t.Null()]),
  }).properties;
  return t.Object({ ...columns, worktreePath: worktree });
}

/** What a route answers, only for the document: handlers determine the types, and answers are not validated. */
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

/** For the detail of a route that has the same result when it is repeated. */
export const repeatable = { "x-repeatable": true } as const;

/** For the detail of a route whose answers must not be stored, or whose body is a stream. */
export const unkeyed = { "x-unkeyed": true } as const;

interface RouteDetail {
  responses?: Record<string, { content?: { "application/json"?: { schema: { $ref?: string } } } }>;
  parameters?: object[];
  "x-repeatable"?: boolean;
  "x-unkeyed"?: boolean;
}

const ROWS = ["Task", "Project"] as const;

/** How a retry of a route's request is answered; undefined if the route takes no key. */
export function retryRules(method: string, detail: RouteDetail = {}) {
  if (!CHANGES.includes(method.toUpperCase()) || detail["x-unkeyed"]) return undefined;
  const [status, response] = Object.entries(detail.responses ?? {}).find(([code]) => code !== "4XX") ?? [];
  const schema = response?.content?.["application/json"]?.schema;
  return {
    status: Number(status ?? 200),
    /** The kind of row it changes and answers with. */
    row: ROWS.find((name) => schema?.$ref === ref(name).$ref),
    isRepeatable: detail["x-repeatable"] ?? false,
  };
}

const CHANGES = ["POST", "PUT", "PATCH", "DELETE"];

interface ApiDocument {
  paths: Record<string, Record<string, RouteDetail>>;
}

/** Adds the header that every change takes, though no route names it. */
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
    description: `Within a day, the same key gets the first answer again. ${whenLost(rules)} Refusals are not kept. 422 if another request used the key.`,
  };
  return { ...operation, parameters: [...(operation.parameters ?? []), key] };
}

function whenLost({ row, isRepeatable }: NonNullable<ReturnType<typeof retryRules>>): string {
  if (isRepeatable) return "If the server was killed before it answered, the request is done again.";
  if (row !== undefined)
    return `If the server was killed before it answered, the answer is the ${row} as it is by then.`;
  return "If the server was killed before it answered: 409, because nobody knows whether it was done.";
}

const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** Without TypeBox's symbols. */
const plain = (schema: object) => JSON.parse(JSON.stringify(schema));
