import { t } from "elysia";
import { AnswerSchema } from "../http/agent-schemas.ts";
import { answers, repeatable } from "../http/documentation.ts";
import { IdParams, noContent, patientResource } from "../http/resource.ts";
import type { Runner } from "../sessions/runner.ts";
import type { Trash } from "../sessions/trash.ts";

const LogParams = t.Object({ id: t.String(), logId: t.String() });

const accepted = { params: IdParams, detail: answers(202, "Task") };

const ActivateSchema = t.Union([
  t.Partial(t.Object({ activate: t.Boolean() }, { additionalProperties: false })),
  t.Null(),
]);
const begins = {
  params: IdParams,
  body: ActivateSchema,
  detail: {
    description:
      "`activate` moves the card to Active in the same step; a refusal leaves it where it is. Without it, 422 unless it is there",
    ...answers(202, "Task"),
  },
};

export const sessionRoutes = ({ runner }: { runner: Runner }) =>
  patientResource("/api/tasks/:id")
    .post(
      "/session/start",
      async ({ params, body, status }) => status(202, await runner.start(params.id, body?.activate)),
      begins,
    )
    .post("/session/stop", async ({ params, status }) => status(202, await runner.stop(params.id)), accepted)
    .post(
      "/session/resume",
      async ({ params, body, status }) => status(202, await runner.resume(params.id, body?.activate)),
      begins,
    )
    .post(
      "/session/retry",
      async ({ params, body, status }) => status(202, await runner.retry(params.id, body?.activate)),
      begins,
    )
    .post("/session/answer", ({ params, body }) => runner.answer(params.id, body).then(noContent), {
      params: IdParams,
      body: AnswerSchema,
      detail: {
        description: "Answers what the task's agent asks (its `asks`); 409 when that is over already",
        ...answers(204),
        ...repeatable,
      },
    })
    .post("/complete", ({ params }) => runner.complete(params.id), {
      params: IdParams,
      detail: answers(200, "Task"),
    })
    .post("/reopen", ({ params }) => runner.reopen(params.id), {
      params: IdParams,
      detail: {
        description:
          "Undoes `complete`: back to the column and, if it is free, the place it had, with its worktree where one is in the trash; 409 when the task is not completed",
        ...answers(200, "Task"),
      },
    })
    .post(
      "/session-logs/:logId/restore",
      async ({ params, status }) => status(201, await runner.restore(params.id, params.logId)),
      { params: LogParams, detail: { ...answers(201), ...repeatable } },
    );

export const trashRoutes = ({ trash }: { trash: Trash }) =>
  patientResource("/api/trash")
    .get("", () => trash.list(), { detail: answers(200) })
    .delete(
      "/:id",
      async ({ params, status }) => {
        await trash.purge(params.id);
        return status(204, undefined);
      },
      { params: IdParams, detail: { ...answers(204), ...repeatable } },
    );
