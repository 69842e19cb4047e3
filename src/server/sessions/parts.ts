import type { Agents } from "../agents/agents.ts";
import type { AskTrail } from "../audit/ask-trail.ts";
import type { Audit } from "../audit/audit.ts";
import type { Config } from "../config.ts";
import type { TaskFiles } from "../files/task-files.ts";
import type { Survey } from "../git/repository/survey.ts";
import type { HostReadiness } from "../hosts/host-readiness.ts";
import type { RunDir } from "../hosts/run-dir.ts";
import type { ReadyHost } from "../hosts/spare-host.ts";
import type { HostStarter } from "../hosts/start-host.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Log } from "../log.ts";
import type { Channels } from "./observe/channels.ts";
import type { Endings } from "./observe/endings.ts";
import type { Readings } from "./observe/readings.ts";
import type { SessionWatch } from "./observe/session-watch.ts";
import type { SessionPaths } from "./paths.ts";
import type { OperationRow, SessionRows } from "./store.ts";

/** What operations need. */
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
  channels: Channels;
  endings: Endings;
  audit: Pick<Audit, "add">;
  trail: Pick<AskTrail, "over">;
  /** Requests that type into a session's terminal take turns. */
  typing: KeyedQueue;
  /** Ends the shells in a task's worktree. */
  stopShells(taskId: string): Promise<void>;
  /** Called after each step that is on disk. Tests end the process there. */
  checkpoint(step: string): void;
}

/** What accepting a start prepared or found out, to make it faster. Lost in a crash. */
export interface StartHints {
  host?: ReadyHost | undefined;
  survey?: Survey | undefined;
}

/** Runs an operation from the step it has reached. Safe to run again after a crash at any point. */
export type RunOperation = (parts: SessionParts, operation: OperationRow, hints: StartHints) => Promise<void>;
