import { basename } from "node:path";
import { and, asc, eq, isNull } from "drizzle-orm";
import { type Actor, type AgentOptions, DEFAULT_AGENT, isLive, LIMITS } from "../../contract.ts";
import type { Store, Tx } from "../../db/open.ts";
import { projects, tasks } from "../../db/schema.ts";
import type { Agents } from "../agents/agents.ts";
import { type Configured, optionsByAgent, reconfigured, requireOptions } from "../agents/options.ts";
import type { Audit } from "../audit/audit.ts";
import { DomainError, notFound } from "../errors.ts";
import type { Events } from "../events/events.ts";
import { makeFirstCommit } from "../git/repository/first-commit.ts";
import { detectBaseBranch, inspectRepository, requireBranch } from "../git/repository/repository.ts";
import { type Freed, freeSpace } from "../git/snapshots/free-space.ts";
import { newId } from "../ids.ts";
import { given, optionalText, requireLine, requireText } from "../text.ts";
import { updatedAfter } from "../updated-at.ts";

export type ProjectRow = typeof projects.$inferSelect;

interface ProjectFields {
  name: string;
  baseBranch: string;
  setupCommand: string | null;
  worktreeInclude: string | null;
  agent: string | null;
  agentOptions: AgentOptions | null;
  otherOptions: Record<string, AgentOptions> | null;
  notify: boolean;
}

export type Projects = ReturnType<typeof createProjects>;

interface ProjectsParts {
  store: Store;
  events: Events;
  agents: Pick<Agents, "require">;
  audit: Pick<Audit, "changed">;
}

export function createProjects({ store, events, agents, audit }: ProjectsParts) {
  function change(write: (tx: Tx) => ProjectRow): ProjectRow {
    const row = store.write(write);
    events.publish("project", row);
    return row;
  }

  const checked = (agent: string, options: AgentOptions | null) =>
    options === null ? null : requireOptions(agents.require(agent), options);

  /** The agent of its new tasks, and how each agent is started. What was accepted before is not checked again. */
  function configuration(before: Configured, patch: Partial<ProjectFields>): Configured {
    const { agent = before.agent, agentOptions, otherOptions } = patch;
    if (agent !== null && agent !== before.agent) agents.require(agent);
    const known = optionsByAgent(before);
    const others = Object.entries(otherOptions ?? {}).map(([name, options]) => {
      const isKnown = JSON.stringify(known[name]) === JSON.stringify(options);
      return [name, isKnown ? options : checked(name, options)] as const;
    });
    return reconfigured(before, {
      agent,
      ...(agentOptions !== undefined && { agentOptions: checked(agent ?? DEFAULT_AGENT, agentOptions) }),
      ...(otherOptions !== undefined && {
        otherOptions: Object.fromEntries(others.filter(isSet)),
      }),
    });
  }

  return {
    list: (): ProjectRow[] =>
      store.db
        .select()
        .from(projects)
        .where(isNull(projects.deletedAt))
        .orderBy(asc(projects.createdAt))
        .all(),

    get: (id: string) => existing(store.db, id),

    /** Frees the space that deleted snapshots took in its repository. */
    collect: async (id: string): Promise<Freed> => freeSpace(existing(store.db, id).path),

    async create(input: Partial<ProjectFields> & { path: string }, who?: Actor): Promise<ProjectRow> {
      const repository = await inspectRepository(requireText("path", input.path));
      const chosen = await chosenBranch(repository.path, input.baseBranch);
      const configured = configuration(NO_AGENT, input);
      return change((tx) => {
        requireNewPath(tx, repository.path);
        const now = new Date().toISOString();
        const project = tx
          .insert(projects)
          .values({
            id: newId(),
            name: requireLine("name", input.name ?? nameOf(repository.path)),
            path: repository.path,
            baseBranch: chosen ?? repository.baseBranch,
            setupCommand: optionalText("setupCommand", input.setupCommand),
            worktreeInclude: optionalText("worktreeInclude", input.worktreeInclude),
            ...configured,
            notify: input.notify ?? true,
            createdAt: now,
            updatedAt: now,
          })
          .returning()
          .get();
        if (who !== undefined) audit.changed(tx, { who, projectId: project.id }, undefined, project);
        return project;
      });
    },

    /** The project of a repository, restored or created if needed. */
    async ofRepository(given: string): Promise<ProjectRow> {
      const { path } = await inspectRepository(given);
      const known = store.db.select().from(projects).where(eq(projects.path, path)).all();
      const live = known.find(({ deletedAt }) => deletedAt === null);
      if (live !== undefined) return live;
      return known[0] === undefined ? this.create({ path }) : this.restore(known[0].id);
    },

    async update(id: string, patch: Partial<ProjectFields>, who: Actor): Promise<ProjectRow> {
      const { path } = existing(store.db, id);
      const chosen = await chosenBranch(path, patch.baseBranch);
      const configured = configuration(existing(store.db, id), patch);
      return change((tx) => {
        const project = existing(tx, id);
        const changed = tx
          .update(projects)
          .set({
            name: given(patch.name, (name) => requireLine("name", name)),
            baseBranch: chosen,
            setupCommand: given(patch.setupCommand, (text) => optionalText("setupCommand", text)),
            worktreeInclude: given(patch.worktreeInclude, (text) => optionalText("worktreeInclude", text)),
            ...configured,
            notify: patch.notify,
            updatedAt: updatedAfter(project),
          })
          .where(eq(projects.id, id))
          .returning()
          .get();
        audit.changed(tx, { who, projectId: id }, project, changed);
        return changed;
      });
    },

    /** Repositories of all projects, including deleted ones. */
    repositories: (): string[] => [
      ...new Set(
        store.db
          .select({ path: projects.path })
          .from(projects)
          .all()
          .map(({ path }) => path),
      ),
    ],

    /** Makes an empty first commit in a repository that has none, so that agents can start from it. */
    async firstCommit(id: string): Promise<ProjectRow> {
      const { path } = existing(store.db, id);
      await makeFirstCommit(path);
      const found = await detectBaseBranch(path);
      return change((tx) => {
        const project = existing(tx, id);
        return tx
          .update(projects)
          .set({ baseBranch: project.baseBranch ?? found, updatedAt: updatedAfter(project) })
          .where(eq(projects.id, id))
          .returning()
          .get();
      });
    },

    /** Hides the project and, with it, its tasks. The repository is never touched. */
    remove(id: string): ProjectRow {
      return change((tx) => {
        const project = existing(tx, id);
        const own = tx
          .select()
          .from(tasks)
          .where(and(eq(tasks.projectId, id), isNull(tasks.deletedAt)))
          .all();
        if (own.some(({ sessionStatus }) => isLive(sessionStatus))) {
          throw new DomainError("conflict", "Agents of this project are still running; stop them first.");
        }
        return tx
          .update(projects)
          .set({ deletedAt: new Date().toISOString(), updatedAt: updatedAfter(project) })
          .where(eq(projects.id, id))
          .returning()
          .get();
      });
    },

    restore(id: string): ProjectRow {
      return change((tx) => {
        const project = tx.select().from(projects).where(eq(projects.id, id)).get();
        if (project === undefined) throw notFound("project", id);
        if (project.deletedAt !== null) requireNewPath(tx, project.path);
        return tx
          .update(projects)
          .set({ deletedAt: null, updatedAt: updatedAfter(project) })
          .where(eq(projects.id, id))
          .returning()
          .get();
      });
    },
  };
}

const NO_AGENT: Configured = { agent: null, agentOptions: null, otherOptions: null };

const isSet = (entry: readonly [string, AgentOptions | null]): entry is [string, AgentOptions] =>
  entry[1] !== null;

function existing(db: Pick<Tx, "select">, id: string): ProjectRow {
  const row = db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
    .get();
  if (row === undefined) throw notFound("project", id);
  return row;
}

/** The chosen branch, checked; undefined if nobody chose one. */
async function chosenBranch(path: string, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const branch = requireLine("baseBranch", given);
  await requireBranch(path, branch);
  return branch;
}

function requireNewPath(tx: Tx, path: string) {
  const other = tx
    .select({ name: projects.name })
    .from(projects)
    .where(and(eq(projects.path, path), isNull(projects.deletedAt)))
    .get();
  if (other === undefined) return;
  throw new DomainError("conflict", `${path} is on the board already, as the project ${other.name}.`);
}

/** A directory's name may contain characters that a project's may not. */
function nameOf(path: string): string {
  const name = basename(path)
    .replace(/\.git$/, "")
    .replace(/\p{Cc}/gu, " ")
    .trim();
  return name.slice(0, LIMITS.projectName) || "repository";
}
