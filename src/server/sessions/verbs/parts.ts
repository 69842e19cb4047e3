import type { SpareHost } from "../../hosts/spare-host.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import type { Operations } from "../operations/operations.ts";
import type { SessionParts } from "../parts.ts";

/** What verbs work with: they accept what is asked for, and operations do it. */
export interface VerbParts extends SessionParts {
  tasks: Pick<Tasks, "get">;
  operations: Operations;
  spareHost: Pick<SpareHost, "take" | "giveBack">;
}
