import { t } from "elysia";
import {
  ACTIVITY_KINDS,
  DECISIONS,
  EFFORTS,
  LIMITS,
  PERMISSION_MODES,
  PROMPT_STATES,
  TASK_STATUSES,
} from "../../contract.ts";

const closed = { additionalProperties: false };

const literals = <const T extends readonly string[]>(values: T) =>
  t.Unsafe<T[number]>(t.Union(values.map((value) => t.Literal(value))));

const orNull = <T extends ReturnType<typeof t.String | typeof t.Object | typeof t.Array>>(schema: T) =>
  t.Union([schema, t.Null()]);

export const CompletedFromSchema = t.Object({
  status: literals(TASK_STATUSES),
  position: t.String(),
  hadWorktree: t.Boolean(),
});

export const AgentOptionsSchema = t.Partial(
  t.Object(
    {
      model: t.String({ minLength: 1, maxLength: LIMITS.model, examples: ["opus"] }),
      permissionMode: literals(PERMISSION_MODES),
      effort: literals(EFFORTS),
      extraArgs: t.Array(t.String({ maxLength: LIMITS.extraArg }), { maxItems: LIMITS.extraArgs }),
      configDir: t.String({ minLength: 1, maxLength: LIMITS.path }),
    },
    closed,
  ),
);

/** By the agents' names. */
export const OtherOptionsSchema = t.Union([
  t.Record(t.String({ maxLength: LIMITS.agent }), AgentOptionsSchema, {
    maxProperties: LIMITS.agentsOptions,
  }),
  t.Null(),
]);

/** An answer to an ask. `answers`, by question, is for asks that have questions. */
export const AnswerSchema = t.Object(
  {
    ask: t.String({ minLength: 1, maxLength: LIMITS.askId }),
    decision: literals(DECISIONS),
    message: t.Optional(t.String({ maxLength: LIMITS.answer })),
    answers: t.Optional(
      t.Record(t.String({ maxLength: LIMITS.answer }), t.String({ maxLength: LIMITS.answer })),
    ),
  },
  closed,
);

/** Days as text, because Elysia's message about a bad number doesn't name the field. */
export const UsageQuery = t.Partial(
  t.Object({ days: t.String({ examples: ["30"] }), projectId: t.String() }, closed),
);

// Only for the API document.

export const ActivitySchema = orNull(
  t.Object({
    kind: literals(ACTIVITY_KINDS),
    reason: orNull(t.String()),
    since: t.String(),
    until: orNull(t.String()),
    less: t.Optional(t.String()),
    permissions: t.Optional(t.Object({ allows: t.String(), isUnlimited: t.Boolean() })),
    held: t.Optional(t.String()),
  }),
);

export const PromptsSchema = orNull(
  t.Array(
    t.Object({
      id: t.String(),
      sessionId: t.String(),
      text: t.String(),
      state: literals(PROMPT_STATES),
      reason: orNull(t.String()),
      at: t.String(),
      now: t.Optional(t.Boolean()),
    }),
  ),
);

export const AskSchema = orNull(
  t.Object({
    id: t.String(),
    tool: t.String(),
    summary: t.String(),
    detail: t.String(),
    always: orNull(t.String()),
    questions: orNull(
      t.Array(
        t.Object({
          question: t.String(),
          header: orNull(t.String()),
          multiple: t.Boolean(),
          options: t.Array(t.Object({ label: t.String(), description: orNull(t.String()) })),
        }),
      ),
    ),
    canAnswer: t.Boolean(),
  }),
);
