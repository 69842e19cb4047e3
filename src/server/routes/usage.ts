import { UsageQuery } from "../http/agent-schemas.ts";
import { answers } from "../http/documentation.ts";
import { resource } from "../http/resource.ts";
import type { Usage } from "../tasks/usage.ts";

export const usageRoutes = ({ usage }: { usage: Usage }) =>
  resource("/api/usage").get("", ({ query }) => usage.report(query), {
    query: UsageQuery,
    detail: { description: "What agents have cost, per task and per day (UTC)", ...answers(200) },
  });
