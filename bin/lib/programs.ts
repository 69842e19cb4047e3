// The programs that tests and benchmarks need beside bun, and how to get those that are missing.

import { existsSync } from "node:fs";

interface Program {
  /** Names and places to look for it, the variable that names it first. */
  candidates: (string | undefined)[];
  /** The first one that can be installed is enough. */
  debianPackages: [string, ...string[]];
}

const CHROMIUM = ["/usr/bin/chromium", "chromium", "google-chrome"];

const PROGRAMS = {
  git: { candidates: ["git"], debianPackages: ["git"] },
  chromium: {
    candidates: [process.env.BANTO_CHROMIUM, ...CHROMIUM],
    debianPackages: ["chromium"],
  },
  /** The same engine without a window to draw: it opens a page with a third of the work. */
  headlessChromium: {
    candidates: [process.env.BANTO_CHROMIUM, "chromium-headless-shell", ...CHROMIUM],
    debianPackages: ["chromium-headless-shell", "chromium"],
  },
  fzf: { candidates: ["fzf"], debianPackages: ["fzf"] },
  htop: { candidates: ["htop"], debianPackages: ["htop"] },
  ip: { candidates: ["ip"], debianPackages: ["iproute2"] },
  less: { candidates: ["less"], debianPackages: ["less"] },
  tmux: { candidates: ["tmux"], debianPackages: ["tmux"] },
  ttyd: { candidates: ["ttyd"], debianPackages: ["ttyd"] },
  unshare: { candidates: ["unshare"], debianPackages: ["util-linux"] },
  vim: { candidates: ["vim"], debianPackages: ["vim"] },
} satisfies Record<string, Program>;

type ProgramName = keyof typeof PROGRAMS;

const say = (line: string) => process.stderr.write(`banto: ${line}\n`);
/** PATH may be as bare as git, node and npm are enough for; tests run programs of the system too. */
export const SYSTEM_PATH = `${process.env.PATH ?? ""}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** Where a program is. */
export function programPath(name: ProgramName): string | undefined {
  for (const candidate of (PROGRAMS[name] as Program).candidates) {
    if (candidate === undefined || candidate === "") continue;
    const found = candidate.includes("/")
      ? existsSync(candidate) && candidate
      : Bun.which(candidate, { PATH: SYSTEM_PATH });
    if (found) return found;
  }
  return undefined;
}

/** Installs what is missing through apt where that can be done without asking; otherwise says what to do. */
export async function requirePrograms(names: readonly ProgramName[]): Promise<boolean> {
  const missing = () => names.filter((name) => programPath(name) === undefined);
  if (missing().length > 0) await install(missing().map((name) => PROGRAMS[name].debianPackages));
  for (const name of missing()) {
    const [debianPackage] = PROGRAMS[name].debianPackages;
    say(
      `this needs ${debianPackage}; install it (Debian: apt-get install ${debianPackage}) and run this again`,
    );
  }
  return missing().length === 0;
}

async function install(wanted: string[][]) {
  const aptGet = Bun.which("apt-get", { PATH: SYSTEM_PATH });
  const sudo = Bun.which("sudo", { PATH: SYSTEM_PATH });
  if (aptGet === null) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && sudo === null) return;
  const apt = [...(isRoot ? [] : [sudo ?? "sudo", "-n"]), aptGet];
  const installs = (packages: string[]) =>
    run([...apt, "install", "-y", "--no-install-recommends", ...packages]);
  const first = wanted.map(([name = ""]) => name);
  say(`installing ${first.join(", ")} with apt-get`);
  if (!(await run([...apt, "update"])) || (await installs(first))) return;
  for (const alternatives of wanted) for (const name of alternatives) if (await installs([name])) break;
}

async function run(command: string[]): Promise<boolean> {
  const env = { ...process.env, PATH: SYSTEM_PATH, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn(command, { env, stdin: "ignore", stdout: 2, stderr: "inherit" });
  return (await child.exited) === 0;
}
