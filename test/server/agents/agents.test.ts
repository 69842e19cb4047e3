import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../../src/contract.ts";
import { createAgents } from "../../../src/server/agents/agents.ts";
import { taskPrompt } from "../../../src/server/agents/task-prompt.ts";
import { DomainError } from "../../../src/server/errors.ts";
import { tempDir } from "../../support/temp.ts";
import { screen } from "./support/screens.ts";

const BUILT_IN = AGENTS.join(", ");
const RUN = { prompt: "Do it", agentSessionId: "5e0c", resume: false };

function place(options: { claude?: string; shell?: string } = {}) {
  const dir = tempDir("agents");
  const bin = join(dir.path, "bin");
  mkdirSync(bin);
  const file = join(dir.path, "agents.toml");
  return {
    dir,
    bin,
    file,
    write: (text: string) => writeFileSync(file, text),
    install(name: string, mode = 0o755) {
      writeFileSync(join(bin, name), "#!/bin/sh\n");
      chmodSync(join(bin, name), mode);
      return join(bin, name);
    },
    agents: createAgents({
      file,
      claudeExecutable: options.claude ?? "claude",
      env: { PATH: bin, ...(options.shell !== undefined && { SHELL: options.shell }) },
    }),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
};

test("Claude Code is started with an id of its own and resumed by it", () => {
  using here = place();
  const claude = here.install("claude");
  expect(here.agents.command("claude", RUN)).toEqual({
    argv: [claude, "--session-id", "5e0c", "--", "Do it"],
    env: { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" },
    prompted: true,
  });
  expect(here.agents.command("claude", { ...RUN, resume: true }).argv).toEqual([claude, "--resume", "5e0c"]);
});

test("what a person says of an agent's dialogs is what its reader goes by, and without it the screen is guessed at", () => {
  using here = place();
  here.write(`[agents.mine]\ncommand = ["mine"]\ndialog = '^Shall I'`);
  const kindOf = (name: string) => {
    const reader = here.agents.createReader(name, { prompted: true, note: null, at: 0 });
    reader.observe({ type: "screen", at: 1_000, quiet: true, screen: screen("Shall I, me lord") });
    return reader.read(1_000).kind;
  };
  expect(kindOf("mine")).toBe("question");
  expect(kindOf("shell")).toBe("working");
  expect(kindOf("one that was there once")).toBe("working");
});

test("a Claude Code that is not installed is refused with what to do", async () => {
  using here = place();
  const said = /^invalid: claude is not installed, or not on the server's PATH\. .*CLAUDE_CODE_EXECUTABLE/;
  expect(refusal(() => here.agents.command("claude", RUN))).toMatch(said);
  expect((await here.agents.list()).agents[0]).toMatchObject({
    name: "claude",
    label: "Claude Code",
    available: false,
    problem: expect.stringContaining("CLAUDE_CODE_EXECUTABLE"),
  });
  here.install("claude");
  expect((await here.agents.list()).agents[0]).toMatchObject({ available: true, problem: null });
});

test.each([
  ["does not exist", "/no/such/claude", /\/no\/such\/claude does not exist\. .*CLAUDE_CODE_EXECUTABLE/],
  ["is a directory", "/usr", /\/usr is not a program\./],
  ["isn't executable", "/etc/passwd", /\/etc\/passwd isn't executable\./],
])("a path given for it that %s is named", (_, claude, said) => {
  using here = place({ claude });
  expect(refusal(() => here.agents.command("claude", RUN))).toMatch(said);
});

test.each([
  ["the person's own", "/bin/bash", "/bin/bash"],
  ["sh when there is none", undefined, "/bin/sh"],
  ["sh when theirs is gone", "/no/such/shell", "/bin/sh"],
  ["sh when theirs lets nobody in", "/usr/sbin/nologin", "/bin/sh"],
  ["sh when theirs is no path", "bash", "/bin/sh"],
])("the shell is %s, with nothing typed into it", (_, shell, expected) => {
  using here = place(shell === undefined ? {} : { shell });
  expect(here.agents.command("shell", RUN)).toEqual({ argv: [expected], env: {} });
  expect(here.agents.command("shell", { ...RUN, resume: true }).argv).toEqual([expected]);
});

test("configured agents appear, change and go as the file does, without a restart", async () => {
  using here = place();
  const aider = here.install("aider");
  expect(refusal(() => here.agents.require("aider"))).toBe(
    `invalid: agent: must be one of ${BUILT_IN}. Others can be added in agents.toml.`,
  );
  here.write('[agents.aider]\ncommand = ["aider", "{prompt}"]\nenv = { FOO = "bar" }');
  expect(here.agents.command("aider", RUN)).toEqual({ argv: [aider, "Do it"], env: { FOO: "bar" } });
  expect((await here.agents.list()).agents.map(({ name }) => name)).toEqual([...AGENTS, "aider"]);
  here.write('[agents.aider]\ncommand = ["aider", "exec", "{prompt}"]');
  expect(here.agents.command("aider", RUN).argv).toEqual([aider, "exec", "Do it"]);
  rmSync(here.file);
  expect(refusal(() => here.agents.command("aider", RUN))).toContain(`must be one of ${BUILT_IN}.`);
});

test("whoever has configured an agent that banto has built in since goes on with that", async () => {
  using here = place();
  const codex = here.install("codex");
  here.write('[agents.codex]\ncommand = ["codex", "exec", "{prompt}"]');
  expect(here.agents.command("codex", RUN)).toEqual({ argv: [codex, "exec", "Do it"], env: {} });
  const { agents } = await here.agents.list();
  expect(agents.filter(({ name }) => name === "codex")).toMatchObject([{ canResume: false }]);
});

test("a mistake in the file is told to who wants a configured agent, and the built-in ones work", async () => {
  using here = place();
  here.install("claude");
  here.write('[agents.aider]\ncommand = "aider"\n');
  const problem = `${here.file}, line 2: command must be a list of`;
  expect(refusal(() => here.agents.require("aider"))).toStartWith(
    `invalid: agent: must be one of ${AGENTS.join(", ")}. ${problem}`,
  );
  expect(await here.agents.list()).toMatchObject({
    agents: AGENTS.map((name) => ({ name, ...(name === "claude" && { available: true }) })),
    problem: expect.stringContaining(problem),
  });
  expect(here.agents.command("claude", RUN).argv[0]).toBe(join(here.bin, "claude"));
});

test("a file that is none, or no text, is a problem told and not a crash", async () => {
  using here = place();
  mkdirSync(here.file);
  expect((await here.agents.list()).problem).toBe(`${here.file} can't be read (not a file).`);
  rmSync(here.file, { recursive: true });
  await Bun.$`mkfifo ${here.file}`;
  expect((await here.agents.list()).problem).toContain("not a file");
  rmSync(here.file);
  writeFileSync(here.file, new Uint8Array([0xff, 0xfe, 0x00]));
  expect((await here.agents.list()).problem).toContain("can't be read");
  here.write(`#${"x".repeat(2_000_000)}`);
  expect((await here.agents.list()).problem).toContain("too large");
  expect((await here.agents.list()).agents).toHaveLength(AGENTS.length);
});

test("a configured agent whose program is missing says which table to change", async () => {
  using here = place();
  here.write('[agents.aider]\ncommand = ["aider", "{prompt}"]');
  const said = `aider is not installed, or not on the server's PATH. Install it, or change [agents.aider] in ${here.file}.`;
  expect(refusal(() => here.agents.command("aider", RUN))).toBe(`invalid: ${said}`);
  expect((await here.agents.list()).agents[AGENTS.length]).toMatchObject({ available: false, problem: said });
});

test("its own PATH is where its program is looked for", () => {
  using here = place();
  const elsewhere = join(here.dir.path, "elsewhere");
  mkdirSync(elsewhere);
  here.write(`[agents.codex]\ncommand = ["codex"]\nenv = { PATH = "${elsewhere}" }`);
  here.install("codex");
  expect(refusal(() => here.agents.command("codex", RUN))).toMatch(/codex is not installed/);
  writeFileSync(join(elsewhere, "codex"), "#!/bin/sh\n", { mode: 0o755 });
  expect(here.agents.command("codex", RUN).argv).toEqual([join(elsewhere, "codex")]);
});

test("an agent that can't be resumed says what to do instead", () => {
  using here = place();
  here.install("codex");
  here.write('[agents.codex]\ncommand = ["codex"]\nlabel = "Codex"');
  expect(refusal(() => here.agents.command("codex", { ...RUN, resume: true }))).toMatch(
    /^invalid: Codex can't continue where it stopped\. Use Retry to start it afresh, .*resume = \[…\] below \[agents\.codex\]/,
  );
});

test("a prompt is title, blank line, description", () => {
  expect(taskPrompt({ title: "Fix it", description: null })).toBe("Fix it");
  expect(taskPrompt({ title: "Fix it", description: "- how\n" })).toBe("Fix it\n\n- how\n");
});

test("a prompt the system would not pass on is refused with its length", () => {
  using here = place();
  here.install("claude");
  const fits = { ...RUN, prompt: `a ${"é".repeat(65_534)}` };
  expect(here.agents.command("claude", fits).argv.at(-1)).toBe(fits.prompt);
  const long = { ...RUN, prompt: taskPrompt({ title: "Fix it", description: "日".repeat(65_536) }) };
  expect(refusal(() => here.agents.command("claude", long))).toMatch(
    /^invalid: .*a prompt of 196,616 bytes, and a program can be given 131,071\. Shorten/,
  );
});
