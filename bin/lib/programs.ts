// The programs that tests need beside bun, and how to get those that are missing.

import { existsSync } from "node:fs";

interface Program {
  name: string;
  /** Other names and places, the variable that names it first. */
  candidates: (string | undefined)[];
  debianPackage: string;
}

const PROGRAMS: Program[] = [
  { name: "git", candidates: ["git"], debianPackage: "git" },
  {
    name: "chromium",
    candidates: [process.env.BANTO_CHROMIUM, "/usr/bin/chromium", "chromium", "google-chrome"],
    debianPackage: "chromium",
  },
];

const say = (line: string) => process.stderr.write(`banto: ${line}\n`);
const SYSTEM_PATH = `${process.env.PATH ?? ""}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

function find({ candidates }: Program): string | undefined {
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === "") continue;
    const found = candidate.includes("/") ? existsSync(candidate) && candidate : Bun.which(candidate);
    if (found) return found;
  }
  return undefined;
}

/** Installs what is missing through apt where that can be done without asking; otherwise says what to do. */
export async function requirePrograms(): Promise<boolean> {
  const missing = PROGRAMS.filter((program) => find(program) === undefined);
  if (missing.length > 0) await install(missing.map(({ debianPackage }) => debianPackage));
  const left = missing.filter((program) => find(program) === undefined);
  for (const { name, debianPackage } of left) {
    say(`the tests need ${name}; install it (Debian: apt-get install ${debianPackage}) and run this again`);
  }
  return left.length === 0;
}

/** Where the tests find the browser. */
export function chromiumPath(): string | undefined {
  return PROGRAMS.filter(({ name }) => name === "chromium").map(find)[0];
}

async function install(packages: string[]) {
  const aptGet = Bun.which("apt-get", { PATH: SYSTEM_PATH });
  const sudo = Bun.which("sudo", { PATH: SYSTEM_PATH });
  if (aptGet === null) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && sudo === null) return;
  const apt = [...(isRoot ? [] : [sudo ?? "sudo", "-n"]), aptGet];
  say(`installing ${packages.join(", ")} with apt-get`);
  if (await run([...apt, "update"]))
    await run([...apt, "install", "-y", "--no-install-recommends", ...packages]);
}

async function run(command: string[]): Promise<boolean> {
  const env = { ...process.env, PATH: SYSTEM_PATH, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn(command, { env, stdin: "ignore", stdout: 2, stderr: "inherit" });
  return (await child.exited) === 0;
}
