import type { SpareHost } from "../../hosts/spare-host.ts";
import type { Projects } from "../../projects/projects.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import type { Operations } from "../operations/operations.ts";
import type { SessionParts } from "../parts.ts";
import type { UnknownSessions } from "../unknown.ts";

/** What verbs need. Verbs accept actions, and operations carry them out. */
export interface VerbParts extends SessionParts {
  tasks: Pick<Tasks, "get">;
  projects: Pick<Projects, "remove">;
  operations: Operations;
  unknown: Pick<UnknownSessions, "requireNone">;
  spareHost: Pick<SpareHost, "take" | "giveBack">;
}
