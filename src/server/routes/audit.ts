import { t } from "elysia";
import { AUDIT_ACTIONS } from "../../contract.ts";
import { type Audit, LISTED } from "../audit/audit.ts";
import { answers } from "../http/documentation.ts";
import { resource } from "../http/resource.ts";

const AuditQuery = t.Partial(
  t.Object(
    {
      since: t.String({ format: "date-time" }),
      task: t.String(),
      project: t.String(),
      before: t.Integer({ minimum: 1 }),
      after: t.Integer({ minimum: 0 }),
      limit: t.Integer({ minimum: 1, maximum: LISTED }),
      action: t.Union(AUDIT_ACTIONS.map((action) => t.Literal(action))),
    },
    { additionalProperties: false },
  ),
);

export const auditRoutes = ({ audit }: { audit: Audit }) =>
  resource("/api/audit").get("", ({ query }) => audit.list(query), {
    query: AuditQuery,
    detail: {
      description:
        "Who answered agents with what in front of them, who changed what agents may do or run, and who signed in; newest first, 500 at most. `before` and `after` take an entry's id",
      ...answers(200),
    },
  });
