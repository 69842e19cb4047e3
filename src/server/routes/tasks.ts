import { t } from "elysia";
import { LIMITS } from "../../contract.ts";
import type { Events } from "../events/events.ts";
import { answers, repeatable } from "../http/documentation.ts";
import type { Door } from "../http/door.ts";
import {
  IdParams,
  NewTaskSchema,
  patientResource,
  TaskPatchSchema,
  TaskStatusSchema,
  withEventId,
} from "../http/resource.ts";
import type { Runner } from "../sessions/runner.ts";
import type { Tasks } from "../tasks/tasks.ts";

const TaskQuery = t.Partial(
  t.Object(
    { projectId: t.String(), status: TaskStatusSchema, q: t.String({ maxLength: LIMITS.query }) },
    { additionalProperties: false },
  ),
);

interface TaskParts {
  tasks: Tasks;
  runner: Runner;
  events: Events;
  door: Pick<Door, "actorOf">;
}

export const taskRoutes = ({ tasks, runner, events, door }: TaskParts) =>
  patientResource("/api/tasks")
    .get("", ({ query, set }) => withEventId(set, events, tasks.list(query)), {
      query: TaskQuery,
      detail: answers(200, ["Task"]),
    })
    .get("/deleted", () => tasks.deleted(), {
      detail: {
        description:
          "Tasks deleted in the last 30 days, newest first; `POST /api/tasks/:id/restore` restores one",
        ...answers(200, ["Task"]),
      },
    })
    .post(
      "",
      ({ body, request, status }) => status(201, tasks.create(body, { who: door.actorOf(request) })),
      {
        body: NewTaskSchema,
        detail: answers(201, "Task"),
      },
    )
    .get("/:id", ({ params }) => tasks.get(params.id), { params: IdParams, detail: answers(200, "Task") })
    .patch("/:id", ({ params, body, request }) => tasks.update(params.id, body, door.actorOf(request)), {
      params: IdParams,
      body: TaskPatchSchema,
      detail: answers(200, "Task"),
    })
    .delete("/:id", ({ params }) => runner.remove(params.id), {
      params: IdParams,
      detail: answers(200, "Task"),
    })
    .post(
      "/:id/restore",
      async ({ params }) => {
        tasks.restore(params.id);
        await runner.bringBack(params.id);
        return tasks.get(params.id);
      },
      { params: IdParams, detail: { ...answers(200, "Task"), ...repeatable } },
    )
    .get("/:id/session-logs", ({ params }) => tasks.sessionLogs(params.id), {
      params: IdParams,
      detail: answers(200, ["SessionLog"]),
    });
