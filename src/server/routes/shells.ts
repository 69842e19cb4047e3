import { answers, repeatable } from "../http/documentation.ts";
import { IdParams, noContent, patientResource } from "../http/resource.ts";
import { NewShellSchema, ShellParams, ShellPatchSchema } from "../http/terminal-schemas.ts";
import type { Shells } from "../sessions/shells/shells.ts";
import type { SessionList } from "../sessions/viewers/session-list.ts";
import type { Tasks } from "../tasks/tasks.ts";

interface ShellParts {
  shells: Shells;
  sessions: SessionList;
  tasks: Tasks;
}

export const shellRoutes = ({ shells, sessions, tasks }: ShellParts) =>
  patientResource("/api")
    .get("/sessions", () => sessions.list(), { detail: answers(200) })
    .get("/tasks/:id/shells", ({ params }) => shells.list(tasks.get(params.id).id), {
      params: IdParams,
      detail: answers(200),
    })
    .post(
      "/tasks/:id/shells",
      async ({ params, body, status }) => status(201, await shells.create(params.id, body?.name)),
      { params: IdParams, body: NewShellSchema, detail: answers(201) },
    )
    .patch("/tasks/:id/shells/:shell", ({ params, body }) => shells.update(params.id, params.shell, body), {
      params: ShellParams,
      body: ShellPatchSchema,
      detail: { ...answers(200), ...repeatable },
    })
    .delete(
      "/tasks/:id/shells/:shell",
      ({ params }) => shells.remove(params.id, params.shell).then(noContent),
      { params: ShellParams, detail: { ...answers(204), ...repeatable } },
    );
