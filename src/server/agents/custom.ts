// Agents from agents.toml: what each table may contain, and messages about mistakes.
import { basename, isAbsolute } from "node:path";
import { LIMITS } from "../../contract.ts";
import type { Agent, AgentRun } from "./agent.ts";
import { createPlainReader } from "./plain-reader.ts";
import { compilePattern, type Pattern, PatternError } from "./screen-prompts/pattern.ts";
import { lineOf, parseToml, TomlError } from "./toml-lines.ts";

type Table = Record<string, unknown>;

const NAME = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${LIMITS.agent - 1}}$`);
const SETTINGS = ["command", "resume", "env", "label", "prompt", "dialog"];
const EXAMPLE = 'command = ["codex", "{prompt}"]';
/** The other built-in agents came later, and whoever had configured them before goes on with that. */
const RESERVED = ["claude", "shell"];
const SHELLS = ["sh", "bash", "dash", "zsh", "fish", "ksh"];
const MAX_ARGUMENTS = 100;
const MAX_LINES = 300;
const MAX_LINE_LENGTH = 10_000;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws a TomlError that says what was expected. */
export function parseAgents(text: string, file: string): Agent[] {
  const lines = text.split("\n");
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_LENGTH))
    throw new TomlError(1, `the file is too long; expected at most ${MAX_LINES} lines`);
  const root = parseToml(text);
  const fail = (path: string[], message: string): never => {
    throw new TomlError(lineOf(text, path), message);
  };
  for (const key of Object.keys(root))
    if (key !== "agents") fail([key], `unknown setting ${key}; expected tables such as [agents.codex]`);
  const { agents = {} } = root;
  if (!isTable(agents)) return fail(["agents"], "agents must be tables such as [agents.codex]");
  return Object.entries(agents).map(([name, table]) =>
    readAgent(name, table, file, (path, message) => fail(["agents", name, ...path], message)),
  );
}

type Fail = (path: string[], message: string) => never;

function readAgent(name: string, table: unknown, file: string, fail: Fail): Agent {
  if (!NAME.test(name))
    fail(
      [],
      `${JSON.stringify(name)} can't be an agent's name; expected lower-case letters, digits, - and _`,
    );
  if (RESERVED.includes(name)) fail([], `${name} is built in; choose another name`);
  if (!isTable(table)) return fail([], `${name} must be a table: [agents.${name}] and, below it, ${EXAMPLE}`);
  for (const key of Object.keys(table))
    if (!SETTINGS.includes(key))
      fail([key], `[agents.${name}] has no setting ${key}; expected ${SETTINGS.join(", ")}`);
  if (table.command === undefined) fail([], `[agents.${name}] lacks its command; expected ${EXAMPLE}`);
  const command = readCommand("command", table.command, fail);
  const resume = table.resume === undefined ? undefined : readCommand("resume", table.resume, fail);
  const env = readEnv(table.env, fail);
  const { label = name } = table;
  if (typeof label !== "string" || !/^[^\p{Cc}]{1,64}$/u.test(label))
    return fail(["label"], "label must be a string of 1 to 64 characters");
  const patterns = {
    prompt: readPattern("prompt", table.prompt, fail),
    dialog: readPattern("dialog", table.dialog, fail),
  };
  return {
    name,
    label,
    createReader: (start) => createPlainReader(start, patterns),
    canResume: resume !== undefined,
    program: command[0] ?? "",
    remedy: `Install it, or change [agents.${name}] in ${file}.`,
    command: (run) => ({ argv: fill(run.resume && resume ? resume : command, run), env }),
  };
}

function readPattern(key: string, value: unknown, fail: Fail): Pattern | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string")
    return fail([key], `${key} must be a regular expression in quotes, such as ${key} = '^>$'`);
  try {
    return compilePattern(value);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return fail([key], `${key} is not a pattern that banto understands: ${error.message}`);
  }
}

function fill(command: string[], { prompt, agentSessionId }: AgentRun): string[] {
  const isScript = SHELLS.includes(basename(command[0] ?? "")) && /^-\w*c$/.test(command[1] ?? "");
  return command.map((argument, at) => {
    const filled = argument.replace(/\{(prompt|session)\}/g, (_, what) =>
      what === "prompt" ? prompt : agentSessionId,
    );
    // A title must never become an option. What follows a script or `--` can't be one.
    const isSafe = isScript || command.lastIndexOf("--", at) !== -1 || !argument.startsWith("{prompt}");
    return isSafe || !prompt.startsWith("-") ? filled : ` ${filled}`;
  });
}

function readCommand(key: string, value: unknown, fail: Fail): string[] {
  const strings = Array.isArray(value) && value.every((item) => typeof item === "string") ? value : [];
  if (strings.length === 0 || strings.length > MAX_ARGUMENTS)
    return fail([key], `${key} must be a list of 1 to ${MAX_ARGUMENTS} strings, such as ${EXAMPLE}`);
  if (strings.some((item) => item.includes("\0"))) fail([key], `${key} must not contain a NUL character`);
  const [program = ""] = strings;
  if (program === "" || program.includes("{prompt}") || (program.includes("/") && !isAbsolute(program)))
    fail([key], `${key} must begin with the name of a program on PATH, or its absolute path`);
  for (const [i, argument] of strings.entries()) {
    const unknown = /(?<!\$)\{([a-z]+)\}/g;
    for (const [placeholder, what] of argument.matchAll(unknown))
      if (what !== "prompt" && what !== "session")
        fail([key], `${key} has ${placeholder}; expected {prompt} or {session}`);
    if (
      SHELLS.includes(basename(program)) &&
      /^-\w*c$/.test(strings[i - 1] ?? "") &&
      argument.includes("{prompt}")
    )
      fail(
        [key],
        `${key} would run the prompt as shell code; expected it as an argument of its own: ["sh", "-c", "codex \\"$1\\"", "sh", "{prompt}"]`,
      );
  }
  return strings;
}

function readEnv(value: unknown, fail: Fail): Record<string, string> {
  if (value === undefined) return {};
  if (!isTable(value)) return fail(["env"], 'env must be a table of strings, such as env = { FOO = "bar" }');
  for (const [name, content] of Object.entries(value)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || name.startsWith("BANTO_"))
      fail(["env", name], `${name} can't be set; expected letters, digits and _, and not BANTO_…`);
    if (typeof content !== "string" || content.includes("\0"))
      fail(["env", name], `${name} must be a string in quotes`);
  }
  return value as Record<string, string>;
}
