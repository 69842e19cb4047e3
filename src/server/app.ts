import { Elysia } from "elysia";
import { version } from "../../package.json";
import type { Agents } from "./agents/agents.ts";
import type { AskTrail } from "./audit/ask-trail.ts";
import type { Audit } from "./audit/audit.ts";
import type { Logins } from "./auth/logins.ts";
import type { Origins } from "./auth/origins.ts";
import type { Events } from "./events/events.ts";
import type { TaskFiles } from "./files/task-files.ts";
import type { Assets } from "./http/assets.ts";
import { readJson } from "./http/body.ts";
import { documentation } from "./http/documentation.ts";
import { createDoor, rawPath } from "./http/door.ts";
import { failureResponse } from "./http/failure.ts";
import { headersOf } from "./http/headers.ts";
import { idempotency } from "./http/idempotency.ts";
import type { IdempotencyKeys } from "./http/idempotency-keys.ts";
import { answered } from "./http/resource.ts";
import { socketSettings } from "./http/web-socket.ts";
import type { Log } from "./log.ts";
import type { Projects } from "./projects/projects.ts";
import type { RepositoryFinder } from "./projects/repositories.ts";
import { agentRoutes } from "./routes/agents.ts";
import { auditRoutes } from "./routes/audit.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { loginRoutes, signInRoute } from "./routes/login.ts";
import { projectRoutes } from "./routes/projects.ts";
import { promptRoutes } from "./routes/prompts.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { sessionRoutes, snapshotRoutes, trashRoutes } from "./routes/sessions.ts";
import { shellRoutes } from "./routes/shells.ts";
import { taskRoutes } from "./routes/tasks.ts";
import { terminalRoutes } from "./routes/terminal.ts";
import { unknownSessionRoutes } from "./routes/unknown-sessions.ts";
import { usageRoutes } from "./routes/usage.ts";
import type { Prompts } from "./sessions/prompts/prompts.ts";
import type { Runner } from "./sessions/runner.ts";
import type { Shells } from "./sessions/shells/shells.ts";
import type { Snapshots } from "./sessions/snapshots.ts";
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
  prompts: Prompts;
  trash: Trash;
  snapshots: Snapshots;
  usage: Usage;
  agents: Agents;
  audit: Audit;
  trail: AskTrail;
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
  const headers = (request: Request) =>
    headersOf(rawPath(request.url), { isTlsOnly: door.isSecure(request) && origins.mayBeTlsOnly });
  // Everything goes through Elysia's router: Bun's own would answer before `onRequest` runs.
  return (
    new Elysia({
      nativeStaticResponse: false,
      systemRouter: false,
      normalize: false,
      handler: { standardHostname: false }, // see rawPath
      websocket: socketSettings(log),
    })
      .onRequest(({ request, set }) => {
        Object.assign(set.headers, headers(request));
        door.check(request);
      })
      .onError(({ error, code, set, server, request }) => {
        answered({ server, request });
        const response = failureResponse(error, code, log);
        for (const [name, value] of Object.entries(headers(request))) response.headers.set(name, value);
        set.status = response.status;
        return response;
      })
      // Before the guard, because these don't take JSON bodies, or only short ones.
      .use(fileRoutes(parts))
      .use(signInRoute({ ...parts, door }))
      // "json" is never reached; it tells the API document what bodies are.
      .guard({ parse: [({ request }) => readJson(request), "json"] })
      .use(idempotency(parts))
      .use(documentation())
      .get("/api/health", () => ({ status: "ok", version }))
      .use(projectRoutes({ ...parts, door }))
      .use(taskRoutes({ ...parts, door }))
      .use(sessionRoutes({ ...parts, door }))
      .use(unknownSessionRoutes(parts))
      .use(trashRoutes(parts))
      .use(snapshotRoutes(parts))
      .use(terminalRoutes({ ...parts, door }))
      .use(promptRoutes(parts))
      .use(shellRoutes(parts))
      .use(repositoryRoutes(parts))
      .use(agentRoutes(parts))
      .use(usageRoutes(parts))
      .use(auditRoutes(parts))
      .use(eventRoutes({ ...parts, door }))
      .use(loginRoutes({ logins, origins, door }))
      .get("/*", ({ request }) => assets.respond(request, rawPath(request.url)), { detail: { hide: true } })
  );
}
