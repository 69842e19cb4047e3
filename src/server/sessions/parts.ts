import type { Agents } from "../agents/agents.ts";
import type { Config } from "../config.ts";
import type { TaskFiles } from "../files/task-files.ts";
import type { Survey } from "../git/survey.ts";
import type { Arrivals } from "../hosts/host-arrivals.ts";
import type { RunDir } from "../hosts/run-dir.ts";
import type { ReadyHost } from "../hosts/spare-host.ts";
import type { Log } from "../log.ts";
import type { Readings } from "./observe/readings.ts";
import type { Watch } from "./observe/watch.ts";
import type { SessionPaths } from "./paths.ts";
import type { OperationRow, SessionRows } from "./store.ts";

/** What the steps of an operation work with. */
export interface SessionParts {
  rows: SessionRows;
  paths: SessionPaths;
  files: Pick<TaskFiles, "putAway" | "bringBack">;
  runDir: RunDir;
  agents: Agents;
  config: Config;
  log: Log;
  watch: Watch;
  arrivals: Pick<Arrivals, "announce">;
  readings: Readings;
  /** Ends the shells that are open in a task's worktree. */
  stopShells(taskId: string): Promise<void>;
  /** Called after each step that is on disk: tests end the process there. */
  checkpoint(step: string): void;
}

/** What was there or found out when a start was accepted; never needed, only quicker. */
export interface Ahead {
  host?: ReadyHost | undefined;
  survey?: Survey | undefined;
}

/** Runs an operation from the step it has reached; safe to run again after a crash at any point. */
export type RunOperation = (parts: SessionParts, operation: OperationRow, ahead: Ahead) => Promise<void>;
