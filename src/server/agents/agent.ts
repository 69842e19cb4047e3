/** One run of an agent, as it is asked for. */
export interface AgentRun {
  /** What the person wants done; of no meaning when a conversation is resumed. */
  prompt: string;
  /** The conversation's own id, a uuid made by banto; a new one for every conversation. */
  agentSessionId: string;
  /** Go on where the conversation stopped instead of beginning one. */
  resume: boolean;
}

export interface AgentCommand {
  argv: string[];
  env: Record<string, string>;
}

/** How one command-line agent is started and resumed. */
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
}
