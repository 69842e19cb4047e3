import { Elysia } from "elysia";
import { version } from "../../package.json";
import type { Logins } from "./auth/logins.ts";
import type { Origins } from "./auth/origins.ts";
import type { Events } from "./events.ts";
import type { Assets } from "./http/assets.ts";
import { readJson } from "./http/body.ts";
import { documentation } from "./http/documentation.ts";
import { createDoor, rawPath } from "./http/door.ts";
import { failureResponse } from "./http/failure.ts";
import { SECURITY_HEADERS } from "./http/headers.ts";
import type { Log } from "./log.ts";
import type { Projects } from "./projects.ts";
import type { RepositoryFinder } from "./repositories.ts";
import { eventRoutes } from "./routes/events.ts";
import { loginRoutes } from "./routes/login.ts";
import { projectRoutes } from "./routes/projects.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { taskRoutes } from "./routes/tasks.ts";
import type { Tasks } from "./tasks.ts";

export interface AppParts {
  tasks: Tasks;
  projects: Projects;
  repositories: RepositoryFinder;
  events: Events;
  logins: Logins;
  origins: Origins;
  assets: Assets;
  log: Log;
}

export type App = ReturnType<typeof createApp>;

export function createApp(parts: AppParts) {
  const { origins, logins, assets, log } = parts;
  const door = createDoor({ origins, logins, isPublicAsset: assets.has });
  // Bun's own router would answer before `onRequest` is asked, so everything goes through Elysia's.
  return (
    new Elysia({ nativeStaticResponse: false, systemRouter: false, normalize: false })
      .onRequest(({ request, set }) => {
        Object.assign(set.headers, SECURITY_HEADERS);
        door.check(request);
      })
      // "json" is never reached; by it the API document knows what bodies are.
      .guard({ parse: [({ request }) => readJson(request), "json"] })
      .onError(({ error, code, set }) => {
        const response = failureResponse(error, code, log);
        for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
        set.status = response.status;
        return response;
      })
      .use(documentation())
      .get("/api/health", () => ({ status: "ok", version }))
      .use(projectRoutes(parts))
      .use(taskRoutes(parts))
      .use(repositoryRoutes(parts))
      .use(eventRoutes(parts))
      .use(loginRoutes({ logins, origins, assets, door }))
      .get("/*", ({ request }) => assets.respond(request, rawPath(request.url)), { detail: { hide: true } })
  );
}
