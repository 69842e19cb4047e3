import { t } from "elysia";
import { LIMITS } from "../../contract.ts";
import { AnswerSchema } from "../http/agent-schemas.ts";
import { answers, repeatable } from "../http/documentation.ts";
import type { Door } from "../http/door.ts";
import { IdParams, noContent, patientResource } from "../http/resource.ts";
import type { Runner } from "../sessions/runner.ts";
import type { Snapshots } from "../sessions/snapshots.ts";
import type { Trash } from "../sessions/trash.ts";

const LogParams = t.Object({ id: t.String(), logId: t.String() });

const accepted = { params: IdParams, detail: answers(202, "Task") };

const ActivateSchema = t.Union([
  t.Partial(t.Object({ activate: t.Boolean() }, { additionalProperties: false })),
  t.Null(),
]);
const ResumeSchema = t.Union([
  t.Partial(t.Object({ activate: t.Boolean(), unlock: t.Boolean() }, { additionalProperties: false })),
  t.Null(),
]);
const CompleteSchema = t.Union([
  t.Partial(
    t.Object(
      { commit: t.String({ minLength: 1, maxLength: LIMITS.description }) },
      { additionalProperties: false },
    ),
  ),
  t.Null(),
]);
const begins = {
  params: IdParams,
  body: ActivateSchema,
  detail: {
    description:
      "`activate` moves the card to Active first; if refused, the card stays where it is. Without it, 422 unless the card is in Active",
    ...answers(202, "Task"),
  },
};

const resumes = {
  ...begins,
  body: ResumeSchema,
  detail: {
    ...begins.detail,
    description: `${begins.detail.description}. 409 worktree_locked while git's index.lock or HEAD.lock is in the worktree: \`unlock\` renames them`,
  },
};

interface SessionRouteParts {
  runner: Runner;
  door: Pick<Door, "actorOf">;
}

export const sessionRoutes = ({ runner, door }: SessionRouteParts) =>
  patientResource("/api/tasks/:id")
    .post(
      "/session/start",
      async ({ params, body, status }) => status(202, await runner.start(params.id, body ?? {})),
      begins,
    )
    .post("/session/stop", async ({ params, status }) => status(202, await runner.stop(params.id)), accepted)
    .post(
      "/session/resume",
      async ({ params, body, status }) => status(202, await runner.resume(params.id, body ?? {})),
      resumes,
    )
    .post(
      "/session/retry",
      async ({ params, body, status }) => status(202, await runner.retry(params.id, body ?? {})),
      begins,
    )
    .post(
      "/session/answer",
      ({ params, body, request }) => runner.answer(params.id, body, door.actorOf(request)).then(noContent),
      {
        params: IdParams,
        body: AnswerSchema,
        detail: {
          description: "Answers the task's `asks`; 409 if it was answered already or is no longer asked",
          ...answers(204),
          ...repeatable,
        },
      },
    )
    .post("/complete", ({ params, body }) => runner.complete(params.id, body?.commit), {
      params: IdParams,
      body: CompleteSchema,
      detail: {
        description:
          "With a `commit` message, uncommitted changes are first committed to the worktree's branch, in the person's name; if that fails, the task stays as it is",
        ...answers(200, "Task"),
      },
    })
    .get("/worktree", ({ params }) => runner.work(params.id), {
      params: IdParams,
      detail: {
        description:
          "The task's worktree: its branch, the number of commits that the base branch does not have, and of uncommitted files; 404 if there is none",
        ...answers(200),
      },
    })
    .post("/reopen", ({ params }) => runner.reopen(params.id), {
      params: IdParams,
      detail: {
        description:
          "Undoes `complete`: back to its column and, if that is free, its position, with its worktree if that is in the trash; 409 if the task is not completed",
        ...answers(200, "Task"),
      },
    })
    .post("/worktree/forget", ({ params }) => runner.forgetWorktree(params.id), {
      params: IdParams,
      detail: {
        description: "Gives up a worktree that is gone; 409 while it is there",
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
    .get("/clock", () => trash.clock(), {
      detail: {
        description: "Since when nothing expires because the clock jumped; null if the clock is right",
        ...answers(200),
      },
    })
    .post(
      "/clock",
      () => {
        trash.confirmClock();
        return noContent();
      },
      { detail: { description: "Confirms that the clock is right", ...answers(204), ...repeatable } },
    )
    .delete(
      "/:id",
      async ({ params, status }) => {
        await trash.purge(params.id);
        return status(204, undefined);
      },
      { params: IdParams, detail: { ...answers(204), ...repeatable } },
    );

export const snapshotRoutes = ({ snapshots }: { snapshots: Snapshots }) =>
  patientResource("/api/snapshots")
    .get("", () => snapshots.list(), {
      detail: {
        description: "Snapshots in the projects' repositories, with their sizes",
        ...answers(200),
      },
    })
    .delete("/:task/:name", ({ params }) => snapshots.remove(params.task, params.name).then(noContent), {
      params: t.Object({ task: t.String(), name: t.String() }),
      detail: { ...answers(204), ...repeatable },
    });
