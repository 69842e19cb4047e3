import type { Events } from "../events/events.ts";
import { answers, repeatable } from "../http/documentation.ts";
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
}

export const projectRoutes = ({ projects, runner, events }: ProjectParts) =>
  patientResource("/api/projects")
    .get("", ({ set }) => withEventId(set, events, projects.list()), { detail: answers(200, ["Project"]) })
    .post("", async ({ body, status }) => status(201, await projects.create(body)), {
      body: NewProjectSchema,
      detail: answers(201, "Project"),
    })
    .get("/:id", ({ params }) => projects.get(params.id), {
      params: IdParams,
      detail: answers(200, "Project"),
    })
    .patch("/:id", ({ params, body }) => projects.update(params.id, body), {
      params: IdParams,
      body: ProjectPatchSchema,
      detail: answers(200, "Project"),
    })
    .delete(
      "/:id",
      ({ params }) => {
        const project = projects.remove(params.id);
        runner.putAwayDeleted();
        return project;
      },
      { params: IdParams, detail: answers(200, "Project") },
    )
    .post(
      "/:id/restore",
      ({ params }) => {
        const project = projects.restore(params.id);
        runner.bringBackProject(params.id);
        return project;
      },
      { params: IdParams, detail: { ...answers(200, "Project"), ...repeatable } },
    );
