import { t } from "elysia";
import { LIMITS, SIZE_LIMITS } from "../../contract.ts";

const closed = { additionalProperties: false };
// Not t.Integer, which also accepts strings in bodies.
const whole = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  t.Number({ minimum, maximum, multipleOf: 1 });
const cols = whole(...SIZE_LIMITS.cols);
const rows = whole(...SIZE_LIMITS.rows);

export const ShellParams = t.Object({ id: t.String(), shell: t.String() });

export const AttachQuery = t.Partial(t.Object({ cols, rows, from: whole(0), snapshot: t.Boolean() }));

export const ResizeSchema = t.Object({ cols, rows, viewer: t.Optional(whole(1)) }, closed);

const typing = { text: t.String({ maxLength: LIMITS.input }), submit: t.Optional(t.Boolean()) };

export const InputSchema = t.Object(typing, closed);

const prompt = t.Boolean({
  description: "It is a prompt for a waiting agent: 409 while the agent is asking something",
});

export const AgentInputSchema = t.Object({ ...typing, prompt: t.Optional(prompt) }, closed);

const name = t.String({ minLength: 1, maxLength: LIMITS.shellName });

/** The name is optional, and so is the body. */
export const NewShellSchema = t.Union([t.Partial(t.Object({ name }, closed)), t.Null()]);

export const ShellPatchSchema = t.Partial(t.Object({ name, order: whole(0, LIMITS.shellsPerTask) }, closed));
