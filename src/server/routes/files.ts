import { t } from "elysia";
import { LIMITS } from "../../contract.ts";
import type { TaskFiles } from "../files/task-files.ts";
import { tooLarge } from "../files/write-stream.ts";
import { answers, unkeyed } from "../http/documentation.ts";
import { IdParams, resource } from "../http/resource.ts";

const NameQuery = t.Object({ name: t.Optional(t.String({ maxLength: LIMITS.fileName })) });

const detail = {
  description:
    "Stores the body, of any type, as a file for programs in the task's terminals. Answers with its name and absolute path.",
  requestBody: {
    required: true,
    content: { "application/octet-stream": { schema: { type: "string" as const, format: "binary" } } },
  },
  ...answers(201),
  ...unkeyed,
};

export const fileRoutes = ({ files }: { files: TaskFiles }) =>
  resource("/api/tasks").post(
    "/:id/files",
    async ({ params, query, request, status }) => {
      if (Number(request.headers.get("content-length") ?? 0) > LIMITS.fileBytes)
        throw tooLarge(LIMITS.fileBytes);
      return status(201, await files.store(params.id, query.name ?? "", request.body ?? nothing()));
    },
    { params: IdParams, query: NameQuery, parse: "none", detail },
  );

async function* nothing(): AsyncGenerator<Uint8Array> {}
