import { fieldsOf } from "../disk/file-names.ts";
import { type GitResult, git } from "./git.ts";

/**
 * For whatever changes references: since 2.54 git also runs hooks that the configuration names, and core.hooksPath says
 * nothing about those. Each can be switched off by its name.
 */
export async function gitWithoutHooks(cwd: string, args: string[]): Promise<GitResult> {
  // Of a worktree's administrative directory there may be a configuration of its own.
  const place = args.filter((arg) => arg.startsWith("--git-dir="));
  const listed = await git(cwd, [...place, "config", "--name-only", "-z", "--get-regexp", "^hook\\."]);
  if (listed.code > 1) return listed;
  const named = fieldsOf(listed.stdout).map((key) => /^hook\.(.*)\.[^.]*$/s.exec(key)?.[1]);
  const names = [...new Set(named)].filter((name) => name !== undefined);
  // Its bytes are no text and can't be said to git: then nothing may run at all.
  const odd = names.find((name) => name.includes("\ufffd"));
  if (odd !== undefined) {
    return {
      code: 1,
      stdout: "",
      stderr: `its configuration has a hook ${odd}, which can't be switched off`,
    };
  }
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(names.length) };
  for (const [at, name] of names.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = `hook.${name}.enabled`;
    env[`GIT_CONFIG_VALUE_${at}`] = "false";
  }
  return git(cwd, args, { env });
}
