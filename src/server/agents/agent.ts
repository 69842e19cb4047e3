import type { AgentOptions, KnownOptions } from "../../contract.ts";
import type { SignalSpec } from "../hosts/connection.ts";
import type { OpenChannel } from "./channel.ts";
import type { Reader, ReaderStart } from "./reading.ts";

/** A run of an agent, as requested. */
export interface AgentRun {
  /** What the person wants done; unused when a conversation is resumed. */
  prompt: string;
  /** The conversation's id, a UUID made by banto; a new one for every conversation. */
  agentSessionId: string;
  /** Continue the conversation instead of starting a new one. */
  resume: boolean;
  options?: AgentOptions;
  /** The worktree it will run in, once there is one. */
  cwd?: string;
  /** This session's folder for what agent and host tell each other. */
  signalFolder?: string;
}

export interface AgentCommand {
  argv: string[];
  /** A program, with its first arguments, that is given the whole of `argv` to run. */
  wrapper?: string[];
  env: Record<string, string>;
  /** How it talks to its host apart from the terminal. */
  signals?: SignalSpec;
  /** It was given the prompt. */
  prompted?: boolean;
  /** The conversation it starts, if that isn't the requested one. */
  agentSessionId?: string;
  /** For people: how and why this differs from the request. */
  note?: string;
}

/** What is known about an installed agent. */
export interface AgentStatus {
  version: string | null;
  tooOld: boolean;
  /** null if unknown. */
  loggedIn: boolean | null;
  /** A problem that doesn't keep it from starting, and what to do. */
  notice: string | null;
}

/** How to start and resume one command-line agent, and how to tell what it is doing. */
export interface Agent {
  name: string;
  /** For people. */
  label: string;
  canResume: boolean;
  /** A name looked up on PATH, or an absolute path. */
  program: string;
  /** What to do if the program is missing. */
  remedy: string;
  /** Without it, it has none: its command says everything. */
  options?: KnownOptions;
  /** Arguments that banto gives it itself, or that would make another program of it. */
  ownArguments?: RegExp;
  command(run: AgentRun): AgentCommand;
  /** Without it, the agent is read like any other program. */
  createReader?(start: ReaderStart): Reader;
  /** Without it, an agent reports only through its terminal and its host. */
  openChannel?: OpenChannel;
  /** Looks at the program before it is started, so that `command` can suit its version. */
  prepare?(path: string): Promise<void>;
  /** Asks the program at this path. May take a moment. */
  status?(path: string): Promise<AgentStatus>;
}
