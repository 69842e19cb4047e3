// What an agent has beside its terminal: a socket, a file it keeps, a log. The server follows it for as long as the
// session lives, also after a restart, and what comes of it is observed like everything else.
import type { AgentOptions } from "../../contract.ts";

export interface ChannelSession {
  sessionId: string;
  /** The conversation's own id, as far as banto knows; the agent may have begun another since. */
  agentSessionId: string;
  /** The task's worktree. */
  cwd: string;
  options: AgentOptions;
  /** A folder of this session's own for what agent and host have to tell each other. */
  signalFolder: string;
  /** The program in the terminal; the project's setup command first, where there is one. */
  pid: number;
}

export interface Note {
  /** Which of the agent's ways of telling it came by. */
  source: string;
  /** Plain JSON, as it was said: what it means is the reader's to say. */
  body: unknown;
}

export interface Channel {
  /** Settles when it has told what there was when it was opened; without it, that is told at once. */
  ready?: Promise<void>;
  /** What a reader's `via: "channel"` answer says. False when nobody waits for it any more. */
  answer?(body: unknown): Promise<boolean>;
  /** Settles when the agent has taken the prompt; rejects with a DomainError that says why not. */
  prompt?(text: string): Promise<void>;
  /** Lets go of the agent, which goes on. */
  close(): void;
}

/** Returns at once: what isn't there yet is waited for inside, and what breaks is made again. */
export type OpenChannel = (session: ChannelSession, tell: (note: Note) => void) => Channel;
