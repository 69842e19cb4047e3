import { t } from "elysia";
import { LIMITS, SIZE_LIMITS } from "../../contract.ts";

const closed = { additionalProperties: false };
// Not t.Integer, which takes a string for a number in a body too.
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
  description: "For an agent that waits for one: refused with 409 while it asks something",
});

export const AgentInputSchema = t.Object({ ...typing, prompt: t.Optional(prompt) }, closed);

const name = t.String({ minLength: 1, maxLength: LIMITS.shellName });

/** Nothing at all is fine too: the shell gets a name. */
export const NewShellSchema = t.Union([t.Partial(t.Object({ name }, closed)), t.Null()]);

export const ShellPatchSchema = t.Partial(t.Object({ name, order: whole(0, LIMITS.shellsPerTask) }, closed));
