import type { Events } from "../events/events.ts";
import { answers, repeatable } from "../http/documentation.ts";
import type { Door } from "../http/door.ts";
import {
  IdParams,
  NewProjectSchema,
  ProjectPatchSchema,
  patientResource,
  withEventId,
} from "../http/resource.ts";
import type { Projects } from "../projects/projects.ts";
import type { Runner } from "../sessions/runner.ts";

interface ProjectParts {
  projects: Projects;
  runner: Runner;
  events: Events;
  door: Pick<Door, "actorOf">;
}

export const projectRoutes = ({ projects, runner, events, door }: ProjectParts) =>
  patientResource("/api/projects")
    .get("", ({ set }) => withEventId(set, events, projects.list()), { detail: answers(200, ["Project"]) })
    .post(
      "",
      async ({ body, request, status }) => status(201, await projects.create(body, door.actorOf(request))),
      {
        body: NewProjectSchema,
        detail: answers(201, "Project"),
      },
    )
    .get("/:id", ({ params }) => projects.get(params.id), {
      params: IdParams,
      detail: answers(200, "Project"),
    })
    .patch("/:id", ({ params, body, request }) => projects.update(params.id, body, door.actorOf(request)), {
      params: IdParams,
      body: ProjectPatchSchema,
      detail: answers(200, "Project"),
    })
    .delete("/:id", ({ params }) => runner.removeProject(params.id), {
      params: IdParams,
      detail: answers(200, "Project"),
    })
    .post("/:id/first-commit", ({ params }) => projects.firstCommit(params.id), {
      params: IdParams,
      detail: {
        description: "Makes an empty commit in a repository that has none; leaves others alone",
        ...answers(200, "Project"),
        ...repeatable,
      },
    })
    .post(
      "/:id/restore",
      ({ params }) => {
        const project = projects.restore(params.id);
        runner.bringBackProject(params.id);
        return project;
      },
      { params: IdParams, detail: { ...answers(200, "Project"), ...repeatable } },
    )
    .post("/:id/collect", ({ params }) => projects.collect(params.id), {
      params: IdParams,
      detail: {
        description:
          "Frees the space of deleted snapshots in its repository, except what was written within the last hour: " +
          "{ freedBytes, laterBytes }",
        ...answers(200),
        ...repeatable,
      },
    });
