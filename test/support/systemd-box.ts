// A machine of its own for what needs a real systemd: this one's files, with systemd as the first of its processes. It
// takes root and half a second.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { type Finished, ROOT, run } from "./program.ts";
import { type TempDir, tempDir } from "./temp.ts";

const SCRIPT = join(import.meta.dir, "systemd-box.sh");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const NAMESPACES = [
  "--fork",
  "--pid",
  "--mount",
  "--uts",
  "--ipc",
  "--net",
  "--cgroup",
  "--propagation",
  "private",
];
/** Where control groups of the second version are; some machines have those of the first beside them. */
const CGROUPS = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"];
const BOOT_MS = 10_000;
const RUN_SECONDS = "40";

export class SystemdBox implements AsyncDisposable {
  private constructor(
    private readonly temp: TempDir,
    private readonly cgroup: string,
    private readonly machine: Bun.Subprocess,
  ) {}

  /** What this machine lacks for it, in words; undefined when nothing is known to be missing. */
  static lacks(): string | undefined {
    if (process.getuid?.() !== 0) return "only root can boot another system";
    if (cgroupRoot() === undefined) return "there are no control groups of the second version here";
    const programs = ["/lib/systemd/systemd", "/usr/bin/dbus-daemon", "/usr/bin/loginctl"];
    const missing = programs.filter((path) => !existsSync(path));
    return missing.length > 0 ? `${missing.join(" and ")} can't be found` : undefined;
  }

  static async boot(): Promise<SystemdBox> {
    const temp = tempDir("systemd");
    const cgroup = join(cgroupRoot() ?? "", `banto-test-${process.pid}`);
    mkdirSync(cgroup, { recursive: true });
    const enter = ["sh", "-c", 'echo 0 > "$0/cgroup.procs"; exec "$@"', cgroup];
    const machine = Bun.spawn(
      [...enter, "unshare", ...NAMESPACES, "--kill-child", "sh", SCRIPT, temp.path, ROOT],
      { env: { PATH }, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
    );
    const box = new SystemdBox(temp, cgroup, machine);
    try {
      await box.#isUp();
      return box;
    } catch (error) {
      await box[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #isUp(): Promise<void> {
    const deadline = performance.now() + BOOT_MS;
    while (performance.now() < deadline && this.machine.exitCode === null) {
      if (this.#init() !== undefined) {
        const { stdout } = await this.run(["systemctl", "is-system-running", "--wait"]);
        if (/running|degraded/.test(stdout)) return;
      }
      await Bun.sleep(20);
    }
    const { pid, exitCode, stderr } = this.machine;
    if (exitCode === null) process.kill(pid, "SIGKILL");
    throw new Error(`systemd did not start: ${await new Response(stderr as ReadableStream).text()}`);
  }

  /** The first process inside, as it is known outside. */
  #init(): string | undefined {
    const { pid } = this.machine;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.trim().split(" ")[0] || undefined;
  }

  /** Runs a program inside, as root. */
  run(command: string[], env: Record<string, string> = {}): Promise<Finished> {
    const variables = Object.entries({ PATH, HOME: "/root", LANG: "C.UTF-8", ...env });
    const inside = ["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`), ...command];
    const enter = [
      "timeout",
      "-k",
      "1",
      RUN_SECONDS,
      "nsenter",
      "-t",
      this.#init() ?? "",
      "-m",
      "-u",
      "-i",
      "-n",
      "-p",
      "-C",
    ];
    return run([...enter, ...inside], { PATH });
  }

  /** With its first process all others end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.machine.kill("SIGKILL");
    await this.machine.exited;
    await removeGroups(this.cgroup);
    this.temp[Symbol.dispose]();
  }
}

const cgroupRoot = () => CGROUPS.find((path) => existsSync(join(path, "cgroup.procs")));

/** The last processes may take a moment to go. */
async function removeGroups(group: string): Promise<void> {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeGroups(join(group, entry.name));
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return rmdirSync(group);
    } catch (error) {
      if (attempt === 100) throw error;
      await Bun.sleep(20);
    }
  }
}
