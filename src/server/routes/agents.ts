import type { Agents } from "../agents/agents.ts";
import { answers } from "../http/documentation.ts";
import { resource } from "../http/resource.ts";

export const agentRoutes = ({ agents }: { agents: Agents }) =>
  resource("/api/agents").get("", () => agents.list(), { detail: answers(200) });
