import { expect, test } from "bun:test";
import { readOperations } from "../../support/api-document.ts";
import { TestServer } from "../../support/server.ts";

test("the API document names every route, what it takes and what it answers", async () => {
  await using server = await TestServer.startHere();
  const { status, body } = await server.get<Record<string, unknown>>("/api/openapi.json");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    openapi: expect.stringMatching(/^3\./),
    info: { title: "banto" },
    security: [{ bearer: [] }],
    components: {
      schemas: { Task: { type: "object" }, Project: { type: "object" }, SessionLog: { type: "object" } },
    },
  });

  const operations = await readOperations(server);
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    expect.arrayContaining([
      "DELETE /api/projects/{id}",
      "DELETE /api/tasks/{id}",
      "GET /api/agents",
      "DELETE /api/tasks/{id}/shells/{shell}",
      "GET /api/events",
      "GET /api/health",
      "GET /api/projects",
      "GET /api/projects/{id}",
      "GET /api/repositories",
      "GET /api/sessions",
      "GET /api/tasks",
      "GET /api/tasks/{id}",
      "GET /api/tasks/{id}/session-logs",
      "GET /api/tasks/{id}/shells",
      "GET /api/tasks/{id}/shells/{shell}/terminal",
      "GET /api/tasks/{id}/shells/{shell}/terminal/screen",
      "GET /api/tasks/{id}/terminal",
      "GET /api/tasks/{id}/terminal/screen",
      "GET /api/usage",
      "PATCH /api/projects/{id}",
      "PATCH /api/tasks/{id}",
      "PATCH /api/tasks/{id}/shells/{shell}",
      "POST /api/login-links",
      "POST /api/logout",
      "POST /api/projects",
      "POST /api/projects/{id}/restore",
      "POST /api/tasks",
      "POST /api/tasks/{id}/files",
      "POST /api/tasks/{id}/reopen",
      "POST /api/tasks/{id}/restore",
      "POST /api/tasks/{id}/session/answer",
      "POST /api/tasks/{id}/shells",
      "POST /api/tasks/{id}/shells/{shell}/terminal/input",
      "POST /api/tasks/{id}/shells/{shell}/terminal/resize",
      "POST /api/tasks/{id}/terminal/input",
      "POST /api/tasks/{id}/terminal/resize",
    ]),
  );
  const changes = operations.filter(({ method, path }) => method !== "GET" && path.startsWith("/api/"));
  const withoutKey = changes.filter(({ header }) => !header.some(({ name }) => name === "Idempotency-Key"));
  expect(withoutKey.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "POST /api/login-links",
    "POST /api/logout",
    "POST /api/tasks/{id}/files",
  ]);
  const starting = operations.find(({ path }) => path === "/api/tasks/{id}/session/start");
  expect(JSON.stringify(starting?.body)).toContain("activate");

  const creating = operations.find(({ method, path }) => method === "POST" && path === "/api/tasks");
  expect(Object.keys(creating?.body?.properties ?? {}).sort()).toEqual(
    ["agent", "agentOptions", "description", "pinned", "projectId", "status", "title"].sort(),
  );
});
