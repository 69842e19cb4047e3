import { t } from "elysia";
import { LIMITS } from "../../contract.ts";
import { answers } from "../http/documentation.ts";
import { resource } from "../http/resource.ts";
import type { RepositoryFinder } from "../projects/repositories.ts";

const SUGGESTIONS = 20;

export const repositoryRoutes = ({ repositories }: { repositories: RepositoryFinder }) =>
  resource("/api/repositories").get("", ({ query }) => repositories.find(query.q ?? "", SUGGESTIONS), {
    query: t.Partial(t.Object({ q: t.String({ maxLength: LIMITS.path }) }, { additionalProperties: false })),
    detail: answers(200),
  });
