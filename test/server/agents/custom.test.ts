import { describe, expect, test } from "bun:test";
import { parseAgents } from "../../../src/server/agents/custom.ts";
import { TomlError } from "../../../src/server/agents/toml-lines.ts";

const RUN = { prompt: "do -it\n\n'now'", agentSessionId: "uuid-1", resume: false };

function mistake(text: string): string {
  try {
    parseAgents(text, "agents.toml");
  } catch (error) {
    if (error instanceof TomlError) return `${error.line}: ${error.message}`;
    throw error;
  }
  return "none";
}

test("no table is no agent", () => {
  expect(parseAgents("", "agents.toml")).toEqual([]);
  expect(parseAgents("# nothing yet\n[agents]\n", "agents.toml")).toEqual([]);
});

test("a table is an agent, with the prompt as one argument", () => {
  const [codex] = parseAgents(
    '[agents.codex]\ncommand = ["codex", "--", "{prompt}"]\nresume = ["codex", "resume", "--last"]\nenv = { FOO = "bar" }\nlabel = "Codex"\n',
    "agents.toml",
  );
  expect(codex).toMatchObject({ name: "codex", label: "Codex", canResume: true, program: "codex" });
  expect(codex?.command(RUN)).toEqual({ argv: ["codex", "--", RUN.prompt], env: { FOO: "bar" } });
  expect(codex?.command({ ...RUN, resume: true }).argv).toEqual(["codex", "resume", "--last"]);
});

test("a prompt that begins with a dash is no option", () => {
  const prompt = "--yolo";
  const filled = (command: string[]) =>
    parseAgents(`[agents.a]\ncommand = ${JSON.stringify(command)}`, "agents.toml")[0]?.command({
      ...RUN,
      prompt,
    }).argv;
  expect(filled(["codex", "exec", "{prompt}"])).toEqual(["codex", "exec", " --yolo"]);
  expect(filled(["codex", "--", "{prompt}"])).toEqual(["codex", "--", "--yolo"]);
  expect(filled(["codex", "--task={prompt}"])).toEqual(["codex", "--task=--yolo"]);
  expect(filled(["sh", "-c", 'exec codex -- "$1"', "sh", "{prompt}"])?.at(-1)).toBe("--yolo");
});

/** A shell's own placeholder is none of ours. */
const VARIABLE = ["$", "{home}"].join("");

test("placeholders are filled in anywhere, once, and only those that are known", () => {
  const [agent] = parseAgents(
    `[agents.a-1_b]\ncommand = ["/opt/a", "--task={prompt}", "--id", "{session}", "${VARIABLE}", '{"json": {}}', "{}"]`,
    "agents.toml",
  );
  const prompt = "{session} $& {prompt}";
  expect(agent?.command({ ...RUN, prompt }).argv).toEqual([
    "/opt/a",
    `--task=${prompt}`,
    "--id",
    "uuid-1",
    VARIABLE,
    '{"json": {}}',
    "{}",
  ]);
  expect(agent).toMatchObject({ label: "a-1_b", canResume: false });
});

const codex = (settings: string) => `[agents.codex]\n${settings}\n`;

describe("a mistake is named with its line and what was expected:", () => {
  test.each([
    ["a string without quotes", codex("command = codex"), /^2: Strings must be quoted/],
    [
      "an array that is not closed",
      codex('command = [\n  "codex",\n'),
      /^2: .*(Unterminated|end of file|Expected)/,
    ],
    [
      "a pattern that is no text",
      `${codex('command = ["codex"]')}\nprompt = 3`,
      /^4: prompt must be a regular/,
    ],
    [
      "a pattern with a mistake",
      `${codex('command = ["codex"]')}\n\ndialog = '(yes'`,
      /^5: dialog .*a \) is missing/,
    ],
    ["a comma forgotten in an array", codex('command = [\n  "codex"\n  "{prompt}"\n]'), /^4: Expected ','/],
    [
      "an array not closed after one that is",
      `${codex('command = [\n "a",\n]')}[agents.b]\ncommand = [\n "b",`,
      /^6: /,
    ],
    [
      "a quote forgotten",
      `${codex('command = ["a"]')}\n[agents.b]\ncommand = ["b]`,
      /^5: Unterminated string/,
    ],
    ["a header that is not closed", `# one\n\n[agents.codex\ncommand = ["a"]`, /^3: Expected ']'/],
    [
      "the same key twice",
      codex('command = ["a"]\n# and\ncommand = ["b"]'),
      /^4: Cannot redefine key 'command'/,
    ],
    ["the same agent twice", `${codex('command = ["a"]')}${codex('command = ["b"]')}`, /^3: Cannot redefine/],
    [
      "a misspelt setting",
      codex('comand = ["a"]'),
      /^2: .*no setting comand; expected command, resume, env, label/,
    ],
    [
      "a misspelt table",
      'x = 1\n[agent.codex]\ncommand = ["a"]',
      /^1: unknown setting x; expected .*\[agents\.codex\]/,
    ],
    ["a list of tables", '\n[[agents]]\ncommand = ["a"]', /^2: agents must be tables/],
    [
      "a command that is a string",
      codex('command = "codex {prompt}"'),
      /^2: command must be a list of .* strings, such as/,
    ],
    ["a command with a number", codex('command = [\n"codex",\n1]'), /^2: command must be a list/],
    ["an empty command", codex("command = []"), /^2: command must be a list/],
    [
      "no command",
      `\n\n${codex('label = "Codex"')}`,
      /^3: \[agents\.codex\] lacks its command; expected command = /,
    ],
    ["an agent that is no table", '[agents]\n\ncodex = ["a"]', /^3: codex must be a table/],
    [
      "a relative path",
      codex('command = ["./agent.sh"]'),
      /^2: command must begin with the name of a program/,
    ],
    ["a prompt as the program", codex('command = ["{prompt}"]'), /^2: command must begin with/],
    [
      "a misspelt placeholder",
      codex('command = ["a", "{promt}"]'),
      /^2: command has \{promt\}; expected \{prompt\} or/,
    ],
    [
      "a prompt inside a script",
      codex('command = ["bash", "-lc", "codex {prompt}"]'),
      /^2: .*run the prompt as shell code; expected/,
    ],
    ["a NUL", codex('command = ["a", "\\u0000"]'), /^2: command must not contain a NUL/],
    ["a wrong resume", codex('command = ["a"]\nresume = "a"'), /^3: resume must be a list/],
    ["a wrong env", codex('command = ["a"]\nenv = "FOO=1"'), /^3: env must be a table of strings/],
    [
      "a number in env",
      codex('command = ["a"]\n[agents.codex.env]\nFOO = 1'),
      /^4: FOO must be a string in quotes/,
    ],
    ["a bad name in env", codex('command = ["a"]\nenv = { "A B" = "1" }'), /^3: A B can't be set/],
    [
      "banto's own in env",
      codex('command = ["a"]\nenv.BANTO_SESSION_ID = "1"'),
      /^3: BANTO_SESSION_ID can't be set/,
    ],
    ["a wrong label", codex('command = ["a"]\nlabel = 7'), /^3: label must be a string/],
    [
      "a name with a blank",
      '[agents."a b"]\ncommand = ["a"]',
      /^1: "a b" can't be an agent's name; expected lower-case/,
    ],
    ["a name with a dot-dot", '[agents.".."]\ncommand = ["a"]', /^1: "\.\." can't be/],
    [
      "a name that is too long",
      `[agents.${"a".repeat(65)}]\ncommand = ["a"]`,
      /^1: .*can't be an agent's name/,
    ],
    ["a name of the language's own", '[agents.__proto__]\ncommand = ["a"]', /^1: "__proto__" can't be/],
    [
      "a built-in name",
      '[agents.claude]\ncommand = ["claude"]',
      /^1: claude is built in; choose another name/,
    ],
    ["a file without end", "# \n".repeat(400), /^1: the file is too long; expected at most 300 lines/],
  ])("%s", (_, text, said) => {
    expect(mistake(text)).toMatch(said);
  });

  test("in a file with Windows line ends too", () => {
    expect(mistake('# one\r\n[agents.codex]\r\ncommand = "x"\r\n')).toMatch(/^3: command must be a list/);
  });
});
