// All agents there are: the built-in ones and those of agents.toml, which is read anew each time, so that
// a change needs no restart and a mistake in it costs nothing but the agents it configures.
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DomainError } from "../errors.ts";
import type { Agent, AgentCommand, AgentRun, AgentStatus } from "./agent.ts";
import { createClaude } from "./claude.ts";
import { parseAgents } from "./custom.ts";
import { findProgram } from "./find-program.ts";
import { createPlainReader } from "./plain-reader.ts";
import type { Reader, ReaderStart } from "./reading.ts";
import { createShell } from "./shell.ts";
import { requireArguments } from "./task-prompt.ts";
import { TomlError } from "./toml-lines.ts";

export interface ListedAgent extends AgentStatus {
  name: string;
  label: string;
  canResume: boolean;
  available: boolean;
  /** Why it is not available, and what to do. */
  problem: string | null;
}

interface Configured {
  agents: Agent[];
  problem: string | null;
}

interface AgentsOptions {
  /** Path of agents.toml, which need not be there. */
  file: string;
  claudeExecutable: string;
  env: Record<string, string | undefined>;
}

export type Agents = ReturnType<typeof createAgents>;

export function createAgents({ file, claudeExecutable, env }: AgentsOptions) {
  const builtIn = [createClaude(claudeExecutable, env), createShell(env.SHELL)];
  let lastRead: { text: string; configured: Configured } | undefined;

  function configured(): Configured {
    try {
      const text = readText(file);
      if (text !== lastRead?.text) lastRead = { text, configured: parse(text) };
      return lastRead.configured;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { agents: [], problem: `${file} can't be read (${reason}).` };
    }
  }

  function parse(text: string): Configured {
    try {
      return { agents: parseAgents(text, file), problem: null };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      return { agents: [], problem: `${file}, line ${error.line}: ${error.message}.` };
    }
  }

  function find({ program, remedy }: Agent, own: Record<string, string> = {}) {
    const { path, problem } = findProgram(program, own.PATH ?? env.PATH ?? "");
    return { path, problem: problem && `${problem} ${remedy}` };
  }

  async function status(agent: Agent, path: string | undefined): Promise<AgentStatus> {
    if (agent.status === undefined || path === undefined) return UNKNOWN;
    return Promise.race([agent.status(path), Bun.sleep(STATUS_MS).then(() => UNKNOWN)]);
  }

  function requireAgent(name: string): Agent {
    const known = builtIn.find((agent) => agent.name === name);
    if (known !== undefined) return known;
    const { agents, problem } = configured();
    const custom = agents.find((agent) => agent.name === name);
    if (custom !== undefined) return custom;
    const names = [...builtIn, ...agents].map((agent) => agent.name).join(", ");
    const hint = problem === null ? `Others can be added in ${basename(file)}.` : problem;
    throw new DomainError("invalid", `agent: must be one of ${names}. ${hint}`);
  }

  return {
    /** Every agent, and what is wrong with the file of the configured ones. */
    async list(): Promise<{ agents: ListedAgent[]; problem: string | null }> {
      const { agents, problem } = configured();
      const listed = [...builtIn, ...agents].map(async (agent) => {
        const { path, problem: missing = null } = find(agent, agent.command(NO_RUN).env);
        const { name, label, canResume } = agent;
        return {
          name,
          label,
          canResume,
          available: missing === null,
          problem: missing,
          ...(await status(agent, path)),
        };
      });
      return { agents: await Promise.all(listed), problem };
    },

    /** Looks at the program before it is first started, so that it is started in a way it knows. */
    async prepare(name: string): Promise<void> {
      const agent = requireAgent(name);
      const { path } = find(agent);
      if (path !== undefined) await Promise.race([agent.prepare?.(path), Bun.sleep(STATUS_MS)]);
    },

    /** Follows what an agent of this name does, whether it is still configured or not. */
    createReader(name: string, start: ReaderStart): Reader {
      const agent = builtIn.find((one) => one.name === name);
      return (agent?.createReader ?? createPlainReader)(start);
    },

    /** The agent of this name, installed or not. */
    require: requireAgent,

    /** What to run, with the program found and everything checked that can be before a worktree is made. */
    command(name: string, run: AgentRun): AgentCommand {
      const agent = requireAgent(name);
      if (run.resume && !agent.canResume) {
        throw new DomainError(
          "invalid",
          `${agent.label} can't go on where it stopped. Retry starts it afresh; or tell banto how it resumes: resume = […] below [agents.${name}] in ${file}.`,
        );
      }
      const { argv, env: own, ...more } = agent.command(run);
      const [program = "", ...rest] = argv;
      const { path, problem } = find({ ...agent, program }, own);
      if (path === undefined) throw new DomainError("invalid", problem ?? "");
      requireArguments(rest);
      return { argv: [path, ...rest], env: own, ...more };
    },
  };
}

const MAX_BYTES = 1_048_576;
const NO_RUN: AgentRun = { prompt: "", agentSessionId: "", resume: false };
const UNKNOWN: AgentStatus = { version: null, tooOld: false, loggedIn: null, notice: null };
/** Neither the list nor a start waits longer for a program that is slow to say what it is. */
const STATUS_MS = 3_000;

function readText(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return "";
  // A pipe in its place would be waited for without end.
  if (!found.isFile()) throw new Error("not a file");
  if (found.size > MAX_BYTES) throw new Error("too large");
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
}
