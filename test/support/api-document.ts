import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.ts";
import type { TestServer } from "./server.ts";

export interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  maxLength?: number;
}

export interface Operation {
  method: string;
  /** With `{id}` where an id belongs. */
  path: string;
  body: Schema | undefined;
  query: { name: string; schema: Schema }[];
  header: { name: string; schema: Schema }[];
}

interface ApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
}

interface RawOperation {
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every operation the server says it has. */
export async function readOperations(server: TestServer): Promise<Operation[]> {
  const { body } = await server.get<ApiDocument>("/api/openapi.json");
  return Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      body: requestBody?.content["application/json"]?.schema,
      query: parameters.filter((parameter) => parameter.in === "query"),
      header: parameters.filter((parameter) => parameter.in === "header"),
    })),
  );
}

/** Every file of the built page, as the server lists it. */
export function readAssetPaths(): string[] {
  return Object.keys(JSON.parse(readFileSync(join(ROOT, "dist/client/manifest.json"), "utf8")));
}
