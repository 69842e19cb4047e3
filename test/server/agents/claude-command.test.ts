// How Claude Code is started: options, settings, a status line that leaves the person's own alone.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeSignals } from "../../../src/server/agents/claude/channel.ts";
import { createClaude } from "../../../src/server/agents/claude/launch.ts";
import { findStatusLine } from "../../../src/server/agents/claude/status-line.ts";
import { tempDir } from "../../support/temp.ts";

/** It draws below what it has said before. */
const BELOW = { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" };

const RUN = { prompt: "Do it", agentSessionId: "5e0c", resume: false };

test("options become flags, those typed by hand last, and the prompt after all of them", () => {
  const options = {
    model: "opus",
    permissionMode: "plan" as const,
    extraArgs: ["--effort", "max"],
    configDir: "/c",
  };
  const { argv, env } = createClaude("claude").command({ ...RUN, options });
  expect(argv).toEqual([
    ...["claude", "--session-id", "5e0c", "--model", "opus", "--permission-mode", "plan", "--effort", "max"],
    ...["--", "Do it"],
  ]);
  expect(env).toEqual({ CLAUDE_CONFIG_DIR: "/c", ...BELOW });
});

test("settings go by file, on a resume too, and no proxy comes between the hooks and their host", () => {
  using dir = tempDir("claude-command");
  const claude = createClaude("claude", {
    HOME: dir.path,
    HTTPS_PROXY: "http://proxy:3128",
    NO_PROXY: ".corp",
  });
  const run = { ...RUN, cwd: dir.path, signalFolder: "/run/x.signals" };
  const { argv, env, signals } = claude.command(run);
  expect(argv.slice(3, 5)).toEqual(["--settings", "/run/x.signals/settings.json"]);
  expect(env).toEqual({ no_proxy: ".corp,127.0.0.1", NO_PROXY: ".corp,127.0.0.1", ...BELOW });
  expect(signals?.file).toBe("/run/x.signals/settings.json");
  expect(argv.join(" ")).not.toContain("@SECRET@");

  const projects = join(dir.path, ".claude", "projects", "-any-folder");
  mkdirSync(projects, { recursive: true });
  writeFileSync(join(projects, "5e0c.jsonl"), '{"type":"user","message":{}}\n');
  const resumed = claude.command({ ...run, resume: true });
  expect(resumed.argv).toEqual(["claude", "--resume", "5e0c", "--settings", "/run/x.signals/settings.json"]);
  expect(resumed.prompted).toBe(false);
});

test.each([
  ["nothing is there", undefined],
  ["nothing was said", '{"type":"mode","mode":"normal"}\n'],
])("a conversation of which %s is begun anew", (_, transcript) => {
  using dir = tempDir("claude-command");
  if (transcript !== undefined) {
    mkdirSync(join(dir.path, "projects", "p"), { recursive: true });
    writeFileSync(join(dir.path, "projects", "p", "5e0c.jsonl"), transcript);
  }
  const claude = createClaude("claude", { CLAUDE_CONFIG_DIR: dir.path });
  const { argv, note, prompted, agentSessionId } = claude.command({ ...RUN, resume: true, cwd: dir.path });
  expect(agentSessionId).toMatch(/^[0-9a-f-]{36}$/); // Claude takes no id for which there is a file
  expect(argv.slice(0, 4)).toEqual(["claude", "--session-id", agentSessionId ?? "", "--"]);
  expect(argv[4]).toStartWith("Do it\n\n(An earlier session worked on this");
  expect(prompted).toBe(true);
  expect(note).toContain("has no record of the earlier conversation");
});

test("a status line keeps what it is given and leaves the person's own as it was", async () => {
  using dir = tempDir("it's a status line");
  const own = { command: `read -r line; printf 'mine: %s\\n' "$line" # to the end`, padding: 1 };
  for (const line of [undefined, own]) {
    const { template, drop = "" } = claudeSignals({
      folder: dir.path,
      statusLine: line,
      deny: [],
      version: null,
    });
    const { statusLine } = JSON.parse(template);
    expect(statusLine).toMatchObject({ type: "command", ...(line && { padding: 1 }) });
    const child = Bun.spawn(["sh", "-c", statusLine.command], { stdin: Buffer.from('{"a":"%s \\\\ é"}\n') });
    const printed = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    expect(printed).toBe(line === undefined ? "" : 'mine: {"a":"%s \\\\ é"}\n');
    expect(readFileSync(drop, "utf8")).toBe('{"a":"%s \\\\ é"}');
  }
  const { template } = claudeSignals({
    folder: join(dir.path, "gone"),
    statusLine: own,
    deny: [],
    version: null,
  });
  const child = Bun.spawn(["sh", "-c", JSON.parse(template).statusLine.command], {
    stdin: Buffer.from("still\n"),
    stderr: "pipe",
  });
  expect(await new Response(child.stdout).text()).toBe("mine: still\n");
  expect(await new Response(child.stderr).text()).toBe("");
});

test("it gets no hook that its version does not know, and stays in its terminal", () => {
  const settings = (version: string | null) =>
    JSON.parse(claudeSignals({ folder: "/run/x", statusLine: undefined, deny: [], version }).template);
  const newer = Object.keys(settings("2.1.327").hooks);
  const older = Object.keys(settings("2.1.80").hooks);
  expect(older).not.toContain("PostCompact");
  expect(newer.filter((name) => !older.includes(name))).toEqual(["PostCompact"]);
  // Of one that doesn't tell, the least is assumed.
  expect(Object.keys(settings(null).hooks)).toEqual(older);
  expect(Object.keys(settings("2.1.196").hooks)).toEqual(older);
  expect(Object.keys(settings("2.2.0").hooks)).toEqual(newer);
  expect(settings("2.1.327").disableAgentView).toBe(true);
});

test.each(["CLAUDE_CODE_NO_FLICKER", "CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN"])(
  "a person's own %s is left as it is",
  (name) => {
    expect(createClaude("claude", { [name]: "1" }).command(RUN).env).toEqual({});
  },
);

test("the project's status line counts before the person's", () => {
  using dir = tempDir("status-line");
  const [config, cwd] = [join(dir.path, "config"), join(dir.path, "work")];
  const write = (folder: string, name: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  expect(findStatusLine(config, cwd)).toBeUndefined();
  write(config, "settings.json", '{"statusLine":{"type":"command","command":"person"}}');
  expect(findStatusLine(config, cwd)?.command).toBe("person");
  write(join(cwd, ".claude"), "settings.json", '{"statusLine":{"type":"command","command":"project"}}');
  expect(findStatusLine(config, cwd)?.command).toBe("project");
  write(join(cwd, ".claude"), "settings.local.json", "{ broken");
  expect(findStatusLine(config, cwd)?.command).toBe("project");
});

/** A program in Claude Code's place that says these things of itself. */
function pretender(dir: string, version: string, loggedIn: boolean): string {
  const program = join(dir, "claude");
  const next = join(dir, "next"); // put in its place, as an update does
  const script = `case $1 in --version) echo "${version} (Claude Code)" ;; auth) echo '{ "loggedIn": ${loggedIn} }' ;; esac`;
  writeFileSync(next, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  renameSync(next, program);
  return program;
}

test("one that is too old is started without what it does not know, and that is said", async () => {
  using dir = tempDir("claude-command");
  const program = pretender(dir.path, "2.1.79", true);
  const claude = createClaude(program, { HOME: dir.path, PATH: process.env.PATH });
  expect(await claude.status?.(program)).toEqual({
    ...{ version: "2.1.79", tooOld: true, loggedIn: true },
    notice: expect.stringMatching(/^Claude Code 2\.1\.79 is older than 2\.1\.80, .* Run: claude update$/),
  });
  const run = { ...RUN, cwd: dir.path, signalFolder: "/run/x.signals" };
  expect(claude.command(run).argv).toEqual([program, "--session-id", "5e0c", "--", "Do it"]);

  // As soon as it is another program, it is asked again.
  pretender(dir.path, "3.0.0", true);
  await claude.prepare?.(program);
  expect(claude.command(run).argv).toContain("--settings");
});

test("one that leaves something running is not waited for longer than it runs itself", async () => {
  using dir = tempDir("claude-command");
  const program = pretender(dir.path, "2.1.79", true);
  const left = join(dir.path, "left");
  writeFileSync(program, `#!/bin/sh\nsleep 5000 & echo $! > ${left}\necho "2.1.79 (Claude Code)"\n`);
  const claude = createClaude(program, { PATH: process.env.PATH });
  await claude.prepare?.(program);
  process.kill(Number(readFileSync(left, "utf8")));
  const run = { ...RUN, cwd: dir.path, signalFolder: "/run/x.signals" };
  expect(claude.command(run).argv).not.toContain("--settings"); // the answer was heard: it is too old
});

test("one that is not logged in says how to, and one that says nothing is left alone", async () => {
  using dir = tempDir("claude-command");
  const program = pretender(dir.path, "2.1.197", false);
  const claude = createClaude(program, { PATH: process.env.PATH });
  expect(await claude.status?.(program)).toMatchObject({
    ...{ tooOld: false, loggedIn: false },
    notice: expect.stringContaining("claude auth login"),
  });
  const silent = createClaude("/bin/true", {});
  expect(await silent.status?.("/bin/true")).toEqual({
    ...{ version: null, tooOld: false, loggedIn: null, notice: null },
  });
});

test("what an agent could answer itself by is denied, by whatever name the directory has, and its worktree is not", () => {
  using dir = tempDir("denied");
  const [data, name] = [join(dir.path, "data"), join(dir.path, "name")];
  mkdirSync(data);
  symlinkSync(data, name);
  const command = createClaude("claude", {}, name).command({ ...RUN, signalFolder: "/run/s", cwd: dir.path });
  const { deny } = JSON.parse(command.signals?.template ?? "").permissions;
  for (const root of [data, name]) {
    expect(deny).toContain(`Read(/${root}/token*)`);
    expect(deny).toContain(`Edit(/${root}/run/**)`);
    expect(deny).toContain(`Edit(/${root}/agents.toml)`);
    expect(deny).toContain(`Bash(*${root}/banto.db*)`);
  }
  expect(deny.join()).not.toContain("worktrees");
});
