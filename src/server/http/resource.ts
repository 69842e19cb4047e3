import { type Context, Elysia, t } from "elysia";
import { AGENTS, LIMITS, TASK_STATUSES } from "../../contract.ts";
import type { Events } from "../events/events.ts";
import { AgentOptionsSchema, OtherOptionsSchema } from "./agent-schemas.ts";

/** An Elysia instance for one resource. `normalize: false` so that misspelt fields are reported, not dropped. */
export const resource = <const Prefix extends string>(prefix: Prefix) =>
  new Elysia({ prefix, normalize: false });

/** How long a connection may be silent. */
export const IDLE_SECONDS = 30;

type Asked = Pick<Context, "server" | "request">;

/** For routes that may wait for agents, git or a disk. Bun would close the connection of a request that takes long. */
export const patientResource = <const Prefix extends string>(prefix: Prefix) =>
  resource(prefix)
    .onBeforeHandle(({ server, request }: Asked) => {
      server?.timeout(request, 0);
    })
    .onAfterHandle(answered);

/** Restores the time-out: what was set for a request would stay in force for its connection. */
export function answered({ server, request }: Asked) {
  server?.timeout(request, IDLE_SECONDS);
}

/** Says which events a list already includes, so that a client can listen for exactly those that follow. */
export function withEventId<T>(
  set: { headers: Record<string, string | number> },
  events: Events,
  list: T,
): T {
  set.headers["x-banto-event-id"] = events.lastId();
  return list;
}

export const noContent = () => new Response(null, { status: 204 });

const nullable = (maxLength: number) => t.Union([t.String({ maxLength }), t.Null()]);
const closed = { additionalProperties: false };

// Not t.UnionEnum, which fills a missing value in with the first one.
const [backlog, active, done] = TASK_STATUSES;
export const TaskStatusSchema = t.Union([t.Literal(backlog), t.Literal(active), t.Literal(done)]);

export const IdParams = t.Object({ id: t.String() });

const taskFields = {
  title: t.String({ minLength: 1, maxLength: LIMITS.title }),
  description: nullable(LIMITS.description),
  pinned: t.Boolean(),
  agent: t.String({ maxLength: LIMITS.agent, examples: [...AGENTS] }),
  agentOptions: t.Union([AgentOptionsSchema, t.Null()]),
  status: TaskStatusSchema,
};

export const NewTaskSchema = t.Object(
  { ...t.Partial(t.Object(taskFields)).properties, projectId: t.String(), title: taskFields.title },
  closed,
);

export const TaskPatchSchema = t.Partial(
  t.Object({ ...taskFields, position: t.String({ minLength: 1, maxLength: LIMITS.position }) }, closed),
);

const projectFields = {
  name: t.String({ minLength: 1, maxLength: LIMITS.projectName }),
  baseBranch: t.String({ minLength: 1, maxLength: LIMITS.branch }),
  setupCommand: nullable(LIMITS.setupCommand),
  worktreeInclude: nullable(LIMITS.worktreeInclude),
  agent: t.Union([t.String({ maxLength: LIMITS.agent, examples: [...AGENTS] }), t.Null()]),
  agentOptions: t.Union([AgentOptionsSchema, t.Null()]),
  otherOptions: OtherOptionsSchema,
  notify: t.Boolean(),
};

export const NewProjectSchema = t.Object(
  {
    ...t.Partial(t.Object(projectFields)).properties,
    path: t.String({ minLength: 1, maxLength: LIMITS.path }),
  },
  closed,
);

export const ProjectPatchSchema = t.Partial(t.Object(projectFields, closed));
