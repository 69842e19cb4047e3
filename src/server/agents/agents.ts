// All agents: the built-in ones and those of agents.toml. The file is read again every time, so that changes need no
// restart, and a mistake in it affects only the agents it configures.
import { readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { KnownOptions } from "../../contract.ts";
import { DomainError } from "../errors.ts";
import type { Agent, AgentCommand, AgentRun, AgentStatus } from "./agent.ts";
import type { Channel, OpenChannel } from "./channel.ts";
import { createClaude } from "./claude/launch.ts";
import { createCodex } from "./codex/launch.ts";
import { parseAgents } from "./custom.ts";
import { findProgram } from "./find-program.ts";
import { createGemini } from "./gemini/launch.ts";
import { createOpenCode } from "./opencode/launch.ts";
import { suited } from "./options.ts";
import { createPlainReader } from "./plain-reader.ts";
import type { Reader, ReaderStart } from "./reading.ts";
import { createShell } from "./shell.ts";
import { requireArguments } from "./task-prompt.ts";
import { TomlError } from "./toml-lines.ts";

export interface ListedAgent extends AgentStatus {
  name: string;
  label: string;
  canResume: boolean;
  /** Which it has; null where its command says everything. */
  options: KnownOptions | null;
  available: boolean;
  /** Why it is not available, and what to do. */
  problem: string | null;
}

interface Configured {
  agents: Agent[];
  problem: string | null;
}

interface AgentsOptions {
  /** Path of agents.toml in the data directory; the file is optional. */
  file: string;
  claudeExecutable: string;
  env: Record<string, string | undefined>;
  /** Told the file's text when it is first read, and when it has changed since. */
  changed?(text: string): void;
}

export type Agents = ReturnType<typeof createAgents>;

export function createAgents({ file, claudeExecutable, env, changed = () => {} }: AgentsOptions) {
  const builtIn = [
    createClaude(claudeExecutable, env, dirname(file)),
    createCodex(env),
    createOpenCode(env, dirname(file)),
    createGemini(env),
    createShell(env.SHELL),
  ];
  let lastRead: { text: string; configured: Configured } | undefined;

  function configured(): Configured {
    try {
      const text = readText(file);
      if (text !== lastRead?.text) {
        lastRead = { text, configured: parse(text) };
        changed(text);
      }
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

  /** What the person has configured comes before a built-in agent of the same name. */
  function allAgents(): Agent[] {
    const { agents } = configured();
    const names = new Set(agents.map(({ name }) => name));
    return [...builtIn.filter(({ name }) => !names.has(name)), ...agents];
  }

  const findAgent = (name: string): Agent | undefined => allAgents().find((agent) => agent.name === name);

  function requireAgent(name: string): Agent {
    const known = findAgent(name);
    if (known !== undefined) return known;
    const { problem } = configured();
    const names = allAgents()
      .map((agent) => agent.name)
      .join(", ");
    const hint = problem === null ? `Others can be added in ${basename(file)}.` : problem;
    throw new DomainError("invalid", `agent: must be one of ${names}. ${hint}`);
  }

  return {
    /** Every agent, and what is wrong with agents.toml, if anything. */
    async list(): Promise<{ agents: ListedAgent[]; problem: string | null }> {
      const { problem } = configured();
      const listed = allAgents().map(async (agent) => {
        const { path, problem: missing = null } = find(agent, agent.command(NO_RUN).env);
        const { name, label, canResume, options = null } = agent;
        return {
          ...{ name, label, canResume, options },
          available: missing === null,
          problem: missing,
          ...(await status(agent, path)),
        };
      });
      return { agents: await Promise.all(listed), problem };
    },

    /** Looks at the program before it is first started, so that it gets options it understands. */
    async prepare(name: string): Promise<void> {
      const agent = requireAgent(name);
      const { path } = find(agent);
      if (path !== undefined) await Promise.race([agent.prepare?.(path), Bun.sleep(STATUS_MS)]);
    },

    /** Reads an agent of this name, even if it is no longer configured. */
    createReader(name: string, start: ReaderStart): Reader {
      const agent = findAgent(name);
      return (agent?.createReader ?? createPlainReader)(start);
    },

    /** Opens what an agent of this name has beside its terminal, if anything. */
    openChannel: (name: string, ...[session, tell]: Parameters<OpenChannel>): Channel | undefined =>
      findAgent(name)?.openChannel?.(session, tell),

    /** The agent of this name, installed or not. */
    require: requireAgent,

    /** What to run, with the program found and everything checked that can be before a worktree is made. */
    command(name: string, run: AgentRun): AgentCommand {
      const agent = requireAgent(name);
      if (run.resume && !agent.canResume) {
        throw new DomainError(
          "invalid",
          `${agent.label} can't continue where it stopped. Use Retry to start it afresh, or tell banto how to resume it: resume = […] below [agents.${name}] in ${file}.`,
        );
      }
      const { options, notes } = suited(agent, run.options ?? {});
      const { argv, wrapper = [], env: own, note, ...more } = agent.command({ ...run, options });
      const said = [note, ...notes].filter((one) => one !== undefined);
      const [program = "", ...rest] = argv;
      const { path, problem } = find({ ...agent, program }, own);
      if (path === undefined) throw new DomainError("invalid", problem ?? "");
      requireArguments([...wrapper, ...rest]);
      return {
        argv: [...wrapper, path, ...rest],
        env: own,
        ...more,
        ...(said.length > 0 && { note: said.join(" ") }),
      };
    },
  };
}

const MAX_BYTES = 1_048_576;
const NO_RUN: AgentRun = { prompt: "", agentSessionId: "", resume: false };
const UNKNOWN: AgentStatus = { version: null, tooOld: false, loggedIn: null, notice: null };
/** How long the list or a start waits for a program to report its version and login. */
const STATUS_MS = 3_000;

function readText(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return "";
  // Reading a pipe would never end.
  if (!found.isFile()) throw new Error("not a file");
  if (found.size > MAX_BYTES) throw new Error("too large");
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
}
