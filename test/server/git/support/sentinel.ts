import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitIn } from "../../../support/repository.ts";
import type { Workshop } from "./workshop.ts";

/** Programs that leave a trace when they run, set wherever an agent can make git run one. */
export class Sentinel {
  private readonly trace: string;

  constructor(private readonly workshop: Workshop) {
    this.trace = workshop.repository.beside("what-ran");
  }

  /** Names of those that ran since it was last asked. */
  ran(): string[] {
    const names = existsSync(this.trace) ? readFileSync(this.trace, "utf8").split("\n") : [];
    rmSync(this.trace, { force: true });
    return [...new Set(names)].filter((name) => name !== "").sort();
  }

  program(name: string): string {
    const path = this.workshop.repository.beside(`sentinel-${name}`);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> ${this.trace}\nexec cat\n`, { mode: 0o755 });
    return path;
  }

  hooks(): void {
    const hooks = join(this.workshop.repository.path, ".git/hooks");
    mkdirSync(hooks, { recursive: true });
    for (const name of HOOKS) renameSync(this.program(name), join(hooks, name));
  }

  /** Which git knows since 2.54; an older one takes no notice of them. */
  async configuredHooks(path = this.workshop.repository.path, ...where: string[]): Promise<void> {
    for (const name of ["plain", "a.b=c", 'quoted "é"']) {
      const key = `hook.${name}${where}`;
      for (const event of HOOKS) await gitIn(path, "config", ...where, "--add", `${key}.event`, event);
      await gitIn(path, "config", ...where, `${key}.command`, this.program("configured-hook"));
    }
  }

  async configuration(): Promise<void> {
    const { path } = this.workshop.repository;
    await this.configuredHooks();
    const set = (key: string, value: string) => gitIn(path, "config", key, value);
    await set("extensions.worktreeConfig", "true");
    await set("core.fsmonitor", this.program("fsmonitor"));
    for (const kind of ["clean", "smudge"]) await set(`filter.evil.${kind}`, this.program(kind));
    await set("filter.long.process", this.program("process"));
    await set("filter.evil.required", "true");
    for (const key of ["sshCommand", "pager", "editor", "gitProxy", "askPass", "alternateRefsCommand"]) {
      await set(`core.${key}`, this.program(key));
    }
    await set("gc.auto", "1");
    await set("diff.evil.textconv", this.program("textconv"));
    await set("diff.external", this.program("external-diff"));
    await set("gpg.program", this.program("gpg"));
    await set("commit.gpgSign", "true");
    await set("credential.helper", `!${this.program("credential")}`);
    await set("include.path", this.include());
  }

  private include(): string {
    const file = this.workshop.repository.beside("included");
    const filters = ["clean", "smudge"].map((kind) => `\t${kind} = ${this.program(`included-${kind}`)}\n`);
    writeFileSync(file, `[filter "hidden"]\n${filters.join("")}`);
    return file;
  }

  /** For a worktree's own configuration. */
  async worktreeConfiguration(path: string): Promise<void> {
    for (const kind of ["clean", "smudge"]) {
      await gitIn(path, "config", "--worktree", `filter.mine.${kind}`, this.program(`worktree-${kind}`));
    }
    await gitIn(path, "config", "--worktree", "core.fsmonitor", this.program("worktree-fsmonitor"));
    await this.configuredHooks(path, "--worktree");
  }
}

const HOOKS = [
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "pre-commit",
  "post-commit",
  "pre-auto-gc",
  "post-rewrite",
];

export const ATTRIBUTES =
  "*.evil filter=evil diff=evil\n*.hidden filter=hidden\n*.mine filter=mine\n*.long filter=long\n";
