import { t } from "elysia";
import { LIMITS } from "../../contract.ts";
import { answers } from "../http/documentation.ts";
import { IdParams, resource } from "../http/resource.ts";
import type { Prompts } from "../sessions/prompts/prompts.ts";

const PromptParams = t.Object({ id: t.String(), prompt: t.String() });
const NewPromptSchema = t.Object(
  { text: t.String({ minLength: 1, maxLength: LIMITS.input }) },
  { additionalProperties: false },
);

export const promptRoutes = ({ prompts }: { prompts: Prompts }) =>
  resource("/api/tasks")
    .get("/:id/prompts", ({ params }) => prompts.list(params.id), {
      params: IdParams,
      detail: {
        description:
          "What waits for the task's agent, in order, after the last prompt that was sent; also in the task's row",
        ...answers(200),
      },
    })
    .post("/:id/prompts", ({ params, body, status }) => status(202, prompts.add(params.id, body.text)), {
      params: IdParams,
      body: NewPromptSchema,
      detail: {
        description:
          "A prompt for the running agent. It is typed once the agent can take it, at the end of its turn; the task's `prompts` say how far it is. 409 while no session runs",
        ...answers(202, "Task"),
      },
    })
    .delete("/:id/prompts/:prompt", ({ params }) => prompts.remove(params.id, params.prompt), {
      params: PromptParams,
      detail: { description: "Takes it back; 409 while it is being typed", ...answers(200, "Task") },
    })
    .post(
      "/:id/prompts/:prompt/send",
      ({ params, status }) => status(202, prompts.sendNow(params.id, params.prompt)),
      {
        params: PromptParams,
        detail: {
          description:
            "Sends it next, to the session that runs now and without waiting for the end of its turn; again, if it was refused or nobody knows whether it arrived",
          ...answers(202, "Task"),
        },
      },
    );
