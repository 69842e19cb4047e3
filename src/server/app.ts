import { Elysia } from "elysia";
import { version } from "../../package.json";
import type { Agents } from "./agents/agents.ts";
import type { Logins } from "./auth/logins.ts";
import type { Origins } from "./auth/origins.ts";
import type { Events } from "./events/events.ts";
import type { TaskFiles } from "./files/task-files.ts";
import type { Assets } from "./http/assets.ts";
import { readJson } from "./http/body.ts";
import { documentation } from "./http/documentation.ts";
import { createDoor, rawPath } from "./http/door.ts";
import { failureResponse } from "./http/failure.ts";
import { SECURITY_HEADERS } from "./http/headers.ts";
import { idempotency } from "./http/idempotency.ts";
import type { IdempotencyKeys } from "./http/idempotency-keys.ts";
import { answered } from "./http/resource.ts";
import { socketSettings } from "./http/web-socket.ts";
import type { Log } from "./log.ts";
import type { Projects } from "./projects/projects.ts";
import type { RepositoryFinder } from "./projects/repositories.ts";
import { agentRoutes } from "./routes/agents.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { loginRoutes } from "./routes/login.ts";
import { projectRoutes } from "./routes/projects.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { sessionRoutes, trashRoutes } from "./routes/sessions.ts";
import { shellRoutes } from "./routes/shells.ts";
import { taskRoutes } from "./routes/tasks.ts";
import { terminalRoutes } from "./routes/terminal.ts";
import { usageRoutes } from "./routes/usage.ts";
import type { Runner } from "./sessions/runner.ts";
import type { Shells } from "./sessions/shells/shells.ts";
import type { Trash } from "./sessions/trash.ts";
import type { TerminalFinder } from "./sessions/viewers/find-terminal.ts";
import type { SessionList } from "./sessions/viewers/session-list.ts";
import type { TerminalSockets } from "./sessions/viewers/sockets.ts";
import type { Terminals } from "./sessions/viewers/terminals.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { Usage } from "./tasks/usage.ts";

export interface AppParts {
  tasks: Tasks;
  projects: Projects;
  repositories: RepositoryFinder;
  runner: Runner;
  trash: Trash;
  usage: Usage;
  agents: Agents;
  events: Events;
  finder: TerminalFinder;
  files: TaskFiles;
  shells: Shells;
  sessions: SessionList;
  terminals: Terminals;
  sockets: TerminalSockets;
  logins: Logins;
  origins: Origins;
  assets: Assets;
  keys: IdempotencyKeys;
  token: string;
  log: Log;
  checkpoint(step: string): void;
}

export type App = ReturnType<typeof createApp>;

export function createApp(parts: AppParts) {
  const { origins, logins, assets, log } = parts;
  const door = createDoor({ origins, logins, isPublicAsset: assets.has });
  // Bun's own router would answer before `onRequest` is asked, so everything goes through Elysia's.
  return (
    new Elysia({
      nativeStaticResponse: false,
      systemRouter: false,
      normalize: false,
      handler: { standardHostname: false }, // see rawPath
      websocket: socketSettings(log),
    })
      .onRequest(({ request, set }) => {
        Object.assign(set.headers, SECURITY_HEADERS);
        door.check(request);
      })
      .onError(({ error, code, set, server, request }) => {
        answered({ server, request });
        const response = failureResponse(error, code, log);
        for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
        set.status = response.status;
        return response;
      })
      .use(fileRoutes(parts)) // before the guard, which reads bodies as JSON
      // "json" is never reached; by it the API document knows what bodies are.
      .guard({ parse: [({ request }) => readJson(request), "json"] })
      .use(idempotency(parts))
      .use(documentation())
      .get("/api/health", () => ({ status: "ok", version }))
      .use(projectRoutes(parts))
      .use(taskRoutes(parts))
      .use(sessionRoutes(parts))
      .use(trashRoutes(parts))
      .use(terminalRoutes({ ...parts, door }))
      .use(shellRoutes(parts))
      .use(repositoryRoutes(parts))
      .use(agentRoutes(parts))
      .use(usageRoutes(parts))
      .use(eventRoutes({ ...parts, door }))
      .use(loginRoutes({ logins, origins, assets, door }))
      .get("/*", ({ request }) => assets.respond(request, rawPath(request.url)), { detail: { hide: true } })
  );
}
