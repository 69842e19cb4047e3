import type { Agents } from "../agents/agents.ts";
import type { Config } from "../config.ts";
import type { TaskFiles } from "../files/task-files.ts";
import type { Survey } from "../git/repository/survey.ts";
import type { HostReadiness } from "../hosts/host-readiness.ts";
import type { RunDir } from "../hosts/run-dir.ts";
import type { ReadyHost } from "../hosts/spare-host.ts";
import type { HostStarter } from "../hosts/start-host.ts";
import type { Log } from "../log.ts";
import type { Endings } from "./observe/endings.ts";
import type { Readings } from "./observe/readings.ts";
import type { SessionWatch } from "./observe/session-watch.ts";
import type { SessionPaths } from "./paths.ts";
import type { OperationRow, SessionRows } from "./store.ts";

/** What the steps of an operation work with. */
export interface SessionParts {
  rows: SessionRows;
  paths: SessionPaths;
  files: Pick<TaskFiles, "putAway" | "bringBack">;
  runDir: RunDir;
  hosts: HostStarter;
  agents: Agents;
  config: Config;
  log: Log;
  watch: SessionWatch;
  readiness: Pick<HostReadiness, "announce">;
  readings: Readings;
  endings: Endings;
  /** Ends the shells that are open in a task's worktree. */
  stopShells(taskId: string): Promise<void>;
  /** Called after each step that is on disk: tests end the process there. */
  checkpoint(step: string): void;
}

/** Made or found out as a start was accepted, to make it quicker. After a crash there is none of it. */
export interface StartHints {
  host?: ReadyHost | undefined;
  survey?: Survey | undefined;
}

/** Runs an operation from the step it has reached; safe to run again after a crash at any point. */
export type RunOperation = (parts: SessionParts, operation: OperationRow, hints: StartHints) => Promise<void>;
