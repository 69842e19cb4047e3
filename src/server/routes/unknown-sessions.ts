import { answers, repeatable } from "../http/documentation.ts";
import { IdParams, noContent, patientResource } from "../http/resource.ts";
import type { Runner } from "../sessions/runner.ts";

export const unknownSessionRoutes = ({ runner: { unknown } }: { runner: Pick<Runner, "unknown"> }) =>
  patientResource("/api/unknown-sessions")
    .get("", () => unknown.list(), {
      detail: {
        description:
          "Running agents that the database does not know, for example after an older backup was restored",
        ...answers(200),
      },
    })
    .post("/:id/adopt", ({ params }) => unknown.adopt(params.id), {
      params: IdParams,
      detail: {
        description: "Gives it to its task, which is created again if it is gone",
        ...answers(200),
        ...repeatable,
      },
    })
    .delete("/:id", ({ params }) => unknown.end(params.id).then(noContent), {
      params: IdParams,
      detail: { description: "Ends it; its worktree stays", ...answers(204), ...repeatable },
    });
