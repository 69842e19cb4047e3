import { openapi } from "@elysia/openapi";
import { createSelectSchema } from "drizzle-typebox";
import { t } from "elysia";
import { version } from "../../../package.json";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import { ActivitySchema, AgentOptionsSchema, AskSchema, CompletedFromSchema } from "./agent-schemas.ts";

type SchemaName = "Task" | "Project" | "SessionLog" | "Error";

/** Serves /api/openapi.json, made from the routes; rows are described by the tables they come from. */
export const documentation = () =>
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

const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** Without TypeBox's symbols. */
const plain = (schema: object) => JSON.parse(JSON.stringify(schema));
