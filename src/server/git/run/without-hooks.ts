import { fieldsOf } from "../disk/file-names.ts";
import { type GitOptions, type GitResult, git } from "./git.ts";

/**
 * For commands that change references. Since 2.54 git also runs hooks that are named in the configuration, which
 * core.hooksPath doesn't affect. Each has to be disabled by name.
 */
export async function gitWithoutHooks(
  cwd: string,
  args: string[],
  options: Pick<GitOptions, "timeoutMs" | "stdin"> = {},
): Promise<GitResult> {
  // A worktree's administrative directory may have its own configuration.
  const place = args.filter((arg) => arg.startsWith("--git-dir="));
  const listed = await git(cwd, [...place, "config", "--name-only", "-z", "--get-regexp", "^hook\\."]);
  if (listed.code > 1) return listed;
  const named = fieldsOf(listed.stdout).map((key) => /^hook\.(.*)\.[^.]*$/s.exec(key)?.[1]);
  const names = [...new Set(named)].filter((name) => name !== undefined);
  // If its name isn't text, it can't be passed to git. Then the command must not run at all.
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
  return git(cwd, args, { ...options, env });
}
