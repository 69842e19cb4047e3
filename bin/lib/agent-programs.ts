// The agents that tests and benchmarks run, each version in a folder of its own below .tools/agents. Serving needs none.

import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type AgentName = "claude" | "codex" | "opencode" | "gemini";

/** Pinned here and nowhere else; the newest comes last. */
export const PINNED = {
  claude: ["2.1.197", "2.1.328"],
  codex: ["0.169.0"],
  opencode: ["1.18.33"],
  gemini: ["0.61.0"],
} as const satisfies Record<AgentName, readonly string[]>;

interface Package {
  /** The package that holds the program itself, and what version of it makes this one. */
  name: string;
  version(version: string): string;
  program: string;
}

const ROOT = join(import.meta.dir, "../..");
const platform = `${process.platform}-${process.arch}`;
const same = (version: string) => version;
const MACHINE = process.arch === "arm64" ? "aarch64" : "x86_64";

const PACKAGES: Record<AgentName, Package> = {
  claude: { name: `@anthropic-ai/claude-code-${platform}`, version: same, program: "claude" },
  codex: {
    name: "@openai/codex",
    version: (version) => `${version}-${platform}`,
    program: `vendor/${MACHINE}-unknown-linux-musl/bin/codex`,
  },
  opencode: { name: `opencode-${platform}`, version: same, program: "bin/opencode" },
  gemini: { name: "@google/gemini-cli", version: same, program: "bundle/gemini.js" },
};

const folderOf = (name: AgentName, version: string) => join(ROOT, ".tools/agents", `${name}-${version}`);

/** Where a version's program is, once it is installed. */
export const agentProgram = (name: AgentName, version: string = newest(name)) =>
  join(folderOf(name, version), name);

const newest = (name: AgentName): string => PINNED[name].at(-1) as string;

export async function requireAgents(
  wanted: { name: AgentName; version: string }[] = allPinned(),
): Promise<boolean> {
  const missing = wanted.filter(({ name, version }) => !existsSync(agentProgram(name, version)));
  for (const { name, version } of missing) {
    process.stderr.write(`banto: installing ${name} ${version} for the tests\n`);
    if (await install(name, version)) continue;
    process.stderr.write(
      `banto: could not install ${name} ${version}; check the network and run this again\n`,
    );
    return false;
  }
  return true;
}

/** What the package registry has; undefined if it can't be asked. */
export async function latestVersion(name: AgentName): Promise<string | undefined> {
  const { name: packageName } = PACKAGES[name];
  const child = Bun.spawn([process.execPath, "pm", "view", packageName, "version"], {
    ...{ cwd: ROOT, stdout: "pipe", stderr: "inherit" },
  });
  const printed = (await new Response(child.stdout).text()).trim();
  // The package of a platform has the platform in its version.
  return (await child.exited) === 0 ? /^\d+\.\d+\.\d+/.exec(printed)?.[0] : undefined;
}

const allPinned = () =>
  (Object.keys(PINNED) as AgentName[]).flatMap((name) => PINNED[name].map((version) => ({ name, version })));

async function install(name: AgentName, version: string): Promise<boolean> {
  const { name: packageName, version: versionOf, program } = PACKAGES[name];
  const folder = folderOf(name, version);
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const manifest = { private: true, dependencies: { [packageName]: versionOf(version) } };
  writeFileSync(join(unfinished, "package.json"), JSON.stringify(manifest));
  const child = Bun.spawn(
    [process.execPath, "install", "--ignore-scripts", "--omit=optional", "--no-save", "--no-progress"],
    {
      cwd: unfinished,
      env: { ...process.env, BUN_INSTALL_CACHE_DIR: join(ROOT, ".tools/bun-cache") },
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  if ((await child.exited) !== 0) return false;
  const path = join("node_modules", packageName, program);
  chmodSync(join(unfinished, path), 0o755);
  symlinkSync(path, join(unfinished, name));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return true;
}
