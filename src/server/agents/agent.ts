import type { AgentOptions } from "../../contract.ts";
import type { SignalSpec } from "../hosts/connection.ts";
import type { Reader, ReaderStart } from "./reading.ts";

/** One run of an agent, as it is asked for. */
export interface AgentRun {
  /** What the person wants done; of no meaning when a conversation is resumed. */
  prompt: string;
  /** The conversation's own id, a uuid made by banto; a new one for every conversation. */
  agentSessionId: string;
  /** Go on where the conversation stopped instead of beginning one. */
  resume: boolean;
  options?: AgentOptions;
  /** The worktree it will run in, once there is one. */
  cwd?: string;
  /** A folder of this session's own for what agent and host have to tell each other. */
  signalFolder?: string;
}

export interface AgentCommand {
  argv: string[];
  env: Record<string, string>;
  /** How it speaks to its host beside the terminal. */
  signals?: SignalSpec;
  /** It was given the prompt. */
  prompted?: boolean;
  /** The conversation that it begins, where it is not the one that was asked for. */
  agentSessionId?: string;
  /** Not quite what was asked for, and why; for the person. */
  note?: string;
}

/** What can be told of an installed agent besides that it is there. */
export interface AgentStatus {
  version: string | null;
  tooOld: boolean;
  /** null where that can't be told. */
  loggedIn: boolean | null;
  /** What is wrong though it can be started, and what to do. */
  notice: string | null;
}

/** How one command-line agent is started and resumed, and how it is seen what it does. */
export interface Agent {
  name: string;
  /** For people. */
  label: string;
  canResume: boolean;
  /** A name looked up on PATH, or an absolute path. */
  program: string;
  /** What to do when the program is not there. */
  remedy: string;
  command(run: AgentRun): AgentCommand;
  /** Others are read from their screen alone. */
  createReader?(start: ReaderStart): Reader;
  /** Looks at the program before it is started; `command` is the better for it. */
  prepare?(path: string): Promise<void>;
  /** Asks the program found at this path; may take a moment. */
  status?(path: string): Promise<AgentStatus>;
}
